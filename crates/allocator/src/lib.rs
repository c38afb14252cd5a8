//! Returns free memory to the system. glibc's allocator keeps what is freed between blocks that are still
//! in use, which after a crowd of clients is hundreds of megabytes (docs/decisions/035).

/// The least size of a block, in bytes, that is mapped by itself.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: libc::c_int = 256 * 1024;

/// Has each large block mapped by itself for good, so that it goes back to the system as soon as it is freed. glibc
/// would raise the size from which it does so to that of blocks that were freed, up to 32 MiB; after that, buffers of
/// renders and exports lie in its heaps among small blocks. Does nothing with other C libraries.
pub fn map_large_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    set_threshold();
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "there is no safe interface to the C library's allocator")]
fn set_threshold() {
    // SAFETY: `mallopt` takes no pointer and locks the heap itself; both values are in its range.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
    }
}

/// Returns the free pages of all heaps to the system. It takes some milliseconds after a crowd, during
/// which allocations in the same heap wait. Does nothing with other C libraries, whose allocators return
/// memory by themselves.
pub fn return_free_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    trim();
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "there is no safe interface to the C library's allocator")]
fn trim() {
    // SAFETY: `malloc_trim` takes no pointer, locks each heap itself, and touches free blocks only.
    unsafe {
        libc::malloc_trim(0);
    }
}

#[cfg(test)]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod tests {
    use super::*;

    /// Resident memory in MiB.
    fn resident() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
    }

    #[test]
    fn memory_between_blocks_in_use_goes_back() {
        // Like the tiles of films: too small to be mapped one by one.
        let mut blocks: Vec<Option<Vec<u8>>> = (0..20_000).map(|_| Some(vec![1; 10_000])).collect();
        for (index, block) in blocks.iter_mut().enumerate() {
            // Some stay in use, so that the heap cannot shrink from its end.
            if index % 1_000 != 999 {
                *block = None;
            }
        }
        let kept = resident();
        return_free_memory();
        let left = resident();
        assert!(kept > 150, "{kept} MiB: the allocator returned them by itself");
        assert!(left < kept / 3, "{left} of {kept} MiB are left");
        assert_eq!(blocks.iter().flatten().count(), 20);
    }
}
