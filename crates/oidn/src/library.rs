//! The calls into the C library. The only unsafe code of the workspace.
#![expect(unsafe_code, reason = "a C library has no other way in")]

use std::ffi::{CStr, OsStr, c_char, c_int, c_void};

use crate::pictures::Pictures;

/// `OIDN_DEVICE_TYPE_CPU`.
const CPU: c_int = 1;
/// `OIDN_FORMAT_FLOAT3`.
const FLOAT3: c_int = 3;

/// An `OIDNDevice` or an `OIDNFilter`.
type Handle = *mut c_void;

/// The functions used, as oidn.h of version 2 declares them. They stay valid as long as the library
/// they come from, which lives beside them.
#[derive(Debug)]
pub(crate) struct Library {
    new_device: unsafe extern "C" fn(c_int) -> Handle,
    set_device_int: unsafe extern "C" fn(Handle, *const c_char, c_int),
    commit_device: unsafe extern "C" fn(Handle),
    device_error: unsafe extern "C" fn(Handle, *mut *const c_char) -> c_int,
    release_device: unsafe extern "C" fn(Handle),
    new_filter: unsafe extern "C" fn(Handle, *const c_char) -> Handle,
    set_image: SetSharedFilterImage,
    set_filter_bool: unsafe extern "C" fn(Handle, *const c_char, bool),
    commit_filter: unsafe extern "C" fn(Handle),
    execute_filter: unsafe extern "C" fn(Handle),
    release_filter: unsafe extern "C" fn(Handle),
    /// Last, to be dropped last.
    _library: libloading::Library,
}

/// Filter, name, memory, format, width, height, offset, bytes a pixel, bytes a row.
type SetSharedFilterImage = unsafe extern "C" fn(
    Handle,
    *const c_char,
    *mut c_void,
    c_int,
    usize,
    usize,
    usize,
    usize,
    usize,
);

impl Library {
    /// Loads the file; what went wrong otherwise.
    pub(crate) fn open(name: &OsStr) -> Result<Self, String> {
        let error = |error: libloading::Error| {
            let (name, error) = (name.to_string_lossy(), error.to_string());
            // Most errors begin with the name.
            if error.contains(&*name) { error } else { format!("{name}: {error}") }
        };
        // SAFETY: loading runs the library's initialisers. The name is one of Open Image Denoise's
        // own or was given by who runs the program for this very use.
        let library = unsafe { libloading::Library::new(name) }.map_err(error)?;
        macro_rules! function {
            ($name:literal) => {
                // SAFETY: the types are those of oidn.h for these names; `open` refuses a library
                // without them, and the pointers live in the value that holds the library.
                *unsafe { library.get($name) }.map_err(error)?
            };
        }
        Ok(Self {
            new_device: function!(b"oidnNewDevice\0"),
            set_device_int: function!(b"oidnSetDeviceInt\0"),
            commit_device: function!(b"oidnCommitDevice\0"),
            device_error: function!(b"oidnGetDeviceError\0"),
            release_device: function!(b"oidnReleaseDevice\0"),
            new_filter: function!(b"oidnNewFilter\0"),
            set_image: function!(b"oidnSetSharedFilterImage\0"),
            set_filter_bool: function!(b"oidnSetFilterBool\0"),
            commit_filter: function!(b"oidnCommitFilter\0"),
            execute_filter: function!(b"oidnExecuteFilter\0"),
            release_filter: function!(b"oidnReleaseFilter\0"),
            _library: library,
        })
    }

    /// Writes the denoised picture to `output`. All slices hold three numbers a pixel.
    pub(crate) fn denoise(
        &self,
        pictures: &Pictures<'_>,
        output: &mut [f32],
        threads: usize,
    ) -> Result<(), String> {
        // SAFETY: takes a plain number; a device of null is an error that is asked for below.
        let device = unsafe { (self.new_device)(CPU) };
        let result = self.denoise_on(device, pictures, output, threads);
        if !device.is_null() {
            // SAFETY: made above and released once.
            unsafe { (self.release_device)(device) };
        }
        result
    }

    fn denoise_on(
        &self,
        device: Handle,
        pictures: &Pictures<'_>,
        output: &mut [f32],
        threads: usize,
    ) -> Result<(), String> {
        self.check(device)?;
        // SAFETY: the device is valid, the name ends in 0.
        unsafe {
            let threads = c_int::try_from(threads).unwrap_or(0);
            (self.set_device_int)(device, c"numThreads".as_ptr(), threads);
            (self.commit_device)(device);
        }
        self.check(device)?;
        // SAFETY: as above.
        let filter = unsafe { (self.new_filter)(device, c"RT".as_ptr()) };
        if filter.is_null() {
            return self.check(device).and(Err("it makes no filter".into()));
        }
        let image = |name: &CStr, memory: *mut f32| {
            let (width, height) = (pictures.width, pictures.height);
            // SAFETY: the memory holds width x height pixels of three floats without gaps (strides of
            // 0), and outlives the filter, which is released below.
            unsafe {
                (self.set_image)(
                    filter,
                    name.as_ptr(),
                    memory.cast(),
                    FLOAT3,
                    width,
                    height,
                    0,
                    0,
                    0,
                );
            }
        };
        // The inputs are only read.
        image(c"color", pictures.color.as_ptr().cast_mut());
        image(c"albedo", pictures.albedo.as_ptr().cast_mut());
        image(c"normal", pictures.normal.as_ptr().cast_mut());
        image(c"output", output.as_mut_ptr());
        // SAFETY: the filter is valid, all it was given is too, and it is released once. Executing
        // returns when the output is written.
        unsafe {
            (self.set_filter_bool)(filter, c"hdr".as_ptr(), true);
            (self.commit_filter)(filter);
            (self.execute_filter)(filter);
            (self.release_filter)(filter);
        }
        self.check(device)
    }

    /// The first error since the last look.
    fn check(&self, device: Handle) -> Result<(), String> {
        let mut message: *const c_char = std::ptr::null();
        // SAFETY: a null device asks for errors of making one; the message is valid until the next
        // call for this device, and is copied before that.
        unsafe {
            if (self.device_error)(device, &raw mut message) == 0 {
                return if device.is_null() { Err("it makes no device".into()) } else { Ok(()) };
            }
            if message.is_null() {
                return Err("it does not say why".into());
            }
            Err(CStr::from_ptr(message).to_string_lossy().into_owned())
        }
    }
}
