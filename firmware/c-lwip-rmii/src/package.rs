//! The firmware of this folder is written in C, beside this file, which only makes the folder a
//! package, so that the study's metadata and the version of lwIP stand where the others' do.

#![no_std]
