use std::collections::BTreeMap;
use std::path::Path;

use super::*;
use crate::circles::circles;

/// The arrows of a crate in memory, as `from -> to`, each once.
fn drawn(files: &[(&str, &str)]) -> Vec<String> {
    let mut drawn: Vec<_> = of(files).iter().map(|a| format!("{} -> {}", a.from, a.to)).collect();
    drawn.dedup();
    drawn
}

fn of(files: &[(&str, &str)]) -> Vec<Arrow> {
    let files: BTreeMap<_, _> =
        files.iter().map(|(path, text)| (path.into(), (*text).to_owned())).collect();
    arrows(&Crate::read(&files, Path::new("lib.rs")).unwrap())
}

#[test]
fn a_planted_circle_is_found_with_its_arrows() {
    let arrows = of(&[
        ("lib.rs", "mod a; mod b; mod c; pub use a::A;"),
        ("a.rs", "use crate::b::B;\npub struct A(B);"),
        ("b.rs", "use crate::c::{self, D};\npub struct B(D); fn f() { c::f() }"),
        ("c.rs", "pub struct D;\npub fn f() -> Option<super::A> { None }"),
    ]);
    let circles = circles(&arrows);
    assert_eq!(circles.len(), 1);
    assert_eq!(circles[0].files, ["a.rs", "b.rs", "c.rs"]);
    let closing = circles[0].arrows.last().unwrap();
    assert_eq!((&*closing.from, &*closing.to, closing.line), ("c.rs", "a.rs", 2));
    assert_eq!(closing.name, "super::A");
}

#[test]
fn a_parent_that_only_hands_on_its_children_is_in_no_arrow() {
    let drawn = drawn(&[
        ("lib.rs", "mod a; pub use a::{One, Two};"),
        ("a/mod.rs", "mod one; mod two; pub use one::One; pub use self::two::*;"),
        ("a/one.rs", "use super::Two; use crate::Two as Again; pub struct One(Two, Again);"),
        ("a/two.rs", "pub struct Two;"),
    ]);
    assert_eq!(drawn, ["a/one.rs -> a/two.rs"]);
}

#[test]
fn a_parent_and_a_child_are_a_circle_if_each_uses_an_item_of_the_other() {
    let child = ("a/one.rs", "use super::A; pub struct One; fn f(_: A) {}");
    let uses = ("a/mod.rs", "mod one; pub use one::One; pub struct A(One);");
    let only_hands_on = ("a/mod.rs", "mod one; pub use one::One; pub struct A;");
    let root = ("lib.rs", "pub mod a;");
    assert_eq!(drawn(&[root, uses, child]), ["a/mod.rs -> a/one.rs", "a/one.rs -> a/mod.rs"]);
    assert_eq!(drawn(&[root, only_hands_on, child]), ["a/one.rs -> a/mod.rs"]);
}

#[test]
fn whole_modules_are_used_by_what_is_named_in_them() {
    let files = |code| [("lib.rs", "mod a; mod b;"), ("a.rs", code), ("b.rs", "pub fn f() {}")];
    assert!(drawn(&files("use crate::b;")).is_empty());
    assert_eq!(drawn(&files("use crate::b; fn g() { b::f() }")), ["a.rs -> b.rs"]);
    assert_eq!(drawn(&files("use crate::b as c; fn g() { c::f() }")), ["a.rs -> b.rs"]);
    assert_eq!(drawn(&files("use crate::b::*; fn g() { f() }")), ["a.rs -> b.rs"]);
    assert!(drawn(&files("use crate::b::*; fn g(x: X) { let f = x.f(); }")).is_empty());
}

#[test]
fn code_for_tests_draws_nothing() {
    let drawn = drawn(&[
        ("lib.rs", "mod a; mod b;"),
        (
            "a.rs",
            "#[cfg(test)] use crate::b::B;
            #[cfg(test)] mod tests;
            #[cfg(all(test, unix))] #[test] fn f() { crate::b::f() }
            #[cfg(test)] mod more { use crate::b::B; }
            struct S { #[cfg(test)] b: crate::b::B, c: u8 }
            // crate::b::B
            #[doc = \"crate::b::B\"] pub(in crate::b) fn g() {}",
        ),
        ("b.rs", "pub struct B; pub fn f() {}"),
    ]);
    assert!(drawn.is_empty(), "{drawn:?}");
}

#[test]
fn code_after_code_for_tests_is_read_again() {
    let drawn = drawn(&[
        ("lib.rs", "mod a; mod b;"),
        ("a.rs", "#[cfg(test)] fn f() {} #[cfg(not(test))] fn g() { crate::b::f() }"),
        ("b.rs", "pub fn f() {}"),
    ]);
    assert_eq!(drawn, ["a.rs -> b.rs"]);
}

#[test]
fn macros_are_used_where_they_are_called() {
    let drawn = drawn(&[
        ("lib.rs", "#[macro_use] mod m; mod a; mod b;"),
        ("m.rs", "macro_rules! made { ($($t:tt)*) => { $crate::b::B } }"),
        ("a.rs", "made! { pub struct A; } fn f(x: u8) -> bool { x != 1 }"),
        ("b.rs", "pub struct B(super::a::A);"),
    ]);
    assert_eq!(drawn, ["a.rs -> m.rs", "b.rs -> a.rs", "m.rs -> b.rs"]);
}

#[test]
fn modules_with_a_body_belong_to_their_file() {
    let drawn = drawn(&[
        ("lib.rs", "mod a { pub struct A; pub mod b; fn f() { super::g() } } fn g() {}"),
        ("a/b.rs", "use super::A; use tokio::time; fn f(a: A) { time::sleep() }"),
    ]);
    assert_eq!(drawn, ["a/b.rs -> lib.rs"]);
}
