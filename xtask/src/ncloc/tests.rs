mod fixtures;
mod misread;
mod properties;
mod reports;
mod roles;
