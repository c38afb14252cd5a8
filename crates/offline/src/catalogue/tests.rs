//! The files themselves: each reads, and is built as things are.

use super::*;

#[test]
fn every_file_reads() {
    let (objects, faults) = read_objects();
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(!objects.is_empty());
}

#[test]
fn every_object_can_be_built() {
    for object in catalogue().objects() {
        let built = object.build("it", &Wishes::default());
        assert!(built.is_ok(), "{}: {built:?}", object.name());
    }
}
