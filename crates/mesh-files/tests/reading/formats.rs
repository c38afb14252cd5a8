//! PLY, STL and OBJ files, well-formed ones and those of other programs.

use std::path::Path;

use media::MeshData;
use mesh_files::{Format, read};

use crate::samples::{
    binary_ply, binary_stl, error_of, stl_tetrahedron, survives, tetrahedron, text_ply, text_stl,
};

#[test]
fn ply_is_read_as_text_and_in_both_orders_of_bytes() {
    assert_eq!(read(text_ply().as_bytes(), Format::Ply).unwrap(), tetrahedron());
    for big in [false, true] {
        let data = read(&binary_ply(big), Format::Ply).unwrap();
        assert_eq!(data.uv[1], [1.0, 0.0]);
        assert_eq!(MeshData { uv: Vec::new(), ..data }, tetrahedron());
    }
}

#[test]
fn stl_is_read_as_text_and_binary_and_corners_are_shared() {
    assert_eq!(read(text_stl().as_bytes(), Format::Stl).unwrap(), stl_tetrahedron());
    let windows = text_stl().replace('\n', "\r\n").to_uppercase().replace("SOLID", "solid");
    assert_eq!(read(windows.as_bytes(), Format::Stl).unwrap(), stl_tetrahedron());
    for header in ["made by hand", "solid and yet binary"] {
        assert_eq!(read(&binary_stl(header), Format::Stl).unwrap(), stl_tetrahedron());
    }
    let mut longer = binary_stl("colors follow");
    longer.extend(b"COLOR=");
    assert_eq!(read(&longer, Format::Stl).unwrap(), stl_tetrahedron());
    assert_eq!(Format::of(Path::new("part.STL")), Some(Format::Stl));
}

#[test]
fn a_damaged_stl_file_tells_what_is_wrong() {
    for (bytes, expected) in [
        (b"".to_vec(), "begins with 'solid', or with a header of 84 bytes"),
        (binary_stl("cut")[..200].to_vec(), "promises 4 triangles, more than the file can hold"),
        (
            text_stl().replacen("vertex 0e0", "vertex zero", 1).into(),
            "line 4: 'vertex' needs three",
        ),
        (text_stl().replacen("  endloop\n", "", 1).into(), "line 13: a facet needs three vertices"),
        (text_stl()[..74].into(), "the file ends within a facet"),
    ] {
        let error = error_of(&bytes, Format::Stl);
        assert!(error.contains(expected), "{error}");
    }
    let empty = read(b"solid\nendsolid\n", Format::Stl).unwrap();
    assert_eq!(empty.check().unwrap_err().to_string(), "the mesh has no triangles");
}

#[test]
fn polygons_are_cut_and_other_elements_passed_over() {
    let text = "ply\nformat ascii 1.0\nelement edge 1\nproperty int a\nelement vertex 4\n\
        property float x\nproperty float y\nproperty float z\nproperty float nx\n\
        property float ny\nproperty float nz\nelement face 1\n\
        property list uchar int vertex_indices\nend_header\n\
        7\n0 0 0 0 0 1\n1 0 0 0 0 1\n1 1 0 0 0 1\n0 1 0 0 0 1\n4 0 1 2 3\n";
    let data = read(text.as_bytes(), Format::Ply).unwrap();
    assert_eq!(data.triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(data.normals, [[0.0, 0.0, 1.0]; 4]);
}

#[test]
fn obj_is_read_with_polygons_normals_and_several_parts() {
    let text = "mtllib none.mtl\no one\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\n\
                f 1//1 2//1 3//1 4//1\no two\nv 0 0 2\nf 1//1 2//1 -1//1\n";
    let data = read(text.as_bytes(), Format::Obj).unwrap();
    assert_eq!((data.triangles.len(), data.positions.len()), (3, 7));
    assert_eq!(data.normals, [[0.0, 0.0, 1.0]; 7]);
    let apex = data.triangles[2][2] as usize;
    assert_eq!(data.positions[apex], [0.0, 0.0, 2.0]);
    assert!(data.check().is_ok());
}

/// The library counts back from the first texture coordinate and would overflow.
#[test]
fn an_index_before_the_first_is_a_fault_or_no_index() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/-9/ 2/-9/ 3/-9/\n";
    survives(text.as_bytes(), Format::Obj);
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -9\n";
    assert!(!error_of(text.as_bytes(), Format::Obj).starts_with("read"));
}

#[test]
fn text_of_other_programs_is_read() {
    let obj = "v 0 0 0 1 0 0\nv\t1 0 0\nv 0 1 0 1\nusemtl\nf 1 2 3\n";
    let corner = |bytes: &[u8], format| read(bytes, format).unwrap().positions[1];
    assert_eq!(corner(obj.as_bytes(), Format::Obj), [1.0, 0.0, 0.0]);
    let latin = [b"# caf\xe9\n".as_slice(), obj.as_bytes()].concat();
    assert_eq!(corner(&latin, Format::Obj), [1.0, 0.0, 0.0]);
    let wide: Vec<u8> =
        "\u{feff}".encode_utf16().chain(obj.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert_eq!(corner(&wide, Format::Obj), [1.0, 0.0, 0.0]);
    let some = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvt 0 0\nf 1/1 2/1 3/1\nf 2 4 3\n";
    let data = read(some.as_bytes(), Format::Obj).unwrap();
    assert_eq!((data.triangles.len(), data.uv.len()), (2, 0));
    let unmarked = text_ply().replace("comment made by hand", "Created by a program");
    assert_eq!(read(unmarked.as_bytes(), Format::Ply).unwrap(), tetrahedron());

    let not = obj.replace("0 1 0 1", "0 nan 0");
    assert_eq!(
        error_of(not.as_bytes(), Format::Obj),
        "line 3: a vertex is three numbers: 'v 0 nan 0'"
    );
    let zero = obj.replace("f 1 2 3", "f 0 1 2");
    assert_eq!(
        error_of(zero.as_bytes(), Format::Obj),
        "line 5: vertices are counted from 1: 'f 0 1 2'"
    );
}
