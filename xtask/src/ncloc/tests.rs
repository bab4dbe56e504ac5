mod fixtures;
mod misread;
mod properties;
mod roles;
