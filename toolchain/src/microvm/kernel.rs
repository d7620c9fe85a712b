//! What the emulated machine boots: Debian's kernel, a few of its modules, and busybox.
//!
//! These come from Debian's packages, which are unpacked below the target folder and not installed.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail, ensure};

use crate::{fingerprint::Fingerprint, invocation::Invocation, progress, project::Project, step::step};

/// Virtio and 9p for the files, KVM, and overlayfs, roughly in the order of their dependencies.
const MODULES: [&str; 15] = [
    "virtio",
    "virtio_ring",
    "virtio_pci_legacy_dev",
    "virtio_pci_modern_dev",
    "virtio_pci",
    "netfs",
    "fscache",
    "9pnet",
    "9pnet_virtio",
    "9p",
    "irqbypass",
    "kvm",
    "ccp",
    "kvm-amd",
    "overlay",
];

const INIT: &str = include_str!("init.sh");

/// A kernel and its first file system.
#[derive(Debug)]
pub(crate) struct Kernel {
    pub(crate) image: PathBuf,
    pub(crate) files: PathBuf,
}

impl Kernel {
    fn below(folder: &Path) -> Self {
        Self { image: folder.join("vmlinuz"), files: folder.join("initramfs.gz") }
    }
}

fn folder(project: &Project) -> PathBuf {
    project.microvm().join("harness")
}

/// The path of the kernel, or the package that contains it.
pub(crate) fn source(project: &Project) -> Option<String> {
    let kernel = Kernel::below(&folder(project));
    if kernel.image.exists() && kernel.files.exists() {
        return Some(kernel.image.display().to_string());
    }
    package().ok().map(|package| format!("the package {package}"))
}

/// Prepares both unless they exist. The caller holds the lock.
pub(crate) fn prepare(project: &Project) -> Result<Kernel> {
    let folder = folder(project);
    let kernel = Kernel::below(&folder);
    // An existing kernel is kept, however old, so that an update of Debian does not cause a download.
    let inputs = Fingerprint::new().text("init", INIT).text("modules", MODULES.join(" "));
    step(project, "microvm-harness", inputs, &[kernel.image.clone(), kernel.files.clone()], || {
        fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let package = package().or_else(|_| update().and_then(|()| package()))?;
        progress::note(&format!("getting {package} and busybox-static from Debian, for {}", folder.display()));
        let unpacked = unpack(&folder, &package, "kernel")?;
        let busybox = unpack(&folder, "busybox-static", "busybox")?;
        let image = find(&unpacked.join("boot"), &|name| name.starts_with("vmlinuz-"))?
            .context("the package contains no kernel")?;
        fs::copy(image, &kernel.image)?;
        pack(&folder, &unpacked, &busybox, &kernel.files)?;
        remove(&unpacked)?;
        remove(&busybox)
    })?;
    Ok(kernel)
}

/// The package that contains the newest kernel.
fn package() -> Result<String> {
    let text = apt("apt-cache", "ask for the current kernel").args(["depends", "linux-image-amd64"]).output()?;
    let depends = text.lines().filter_map(|line| line.trim().strip_prefix("Depends: "));
    match depends.into_iter().find(|name| name.starts_with("linux-image-") && name.ends_with("-amd64")) {
        Some(package) => Ok(package.to_owned()),
        None => bail!(
            "apt knows no kernel `linux-image-amd64`\nhint: emulated machines need Debian's packages; elsewhere use a machine with KVM"
        ),
    }
}

fn apt(program: &str, title: &str) -> Invocation {
    Invocation::new(title, program)
        .env("LC_ALL", "C")
        .hint("emulated machines need Debian's packages; a machine that can run micro-VMs needs no emulation")
}

fn update() -> Result<()> {
    apt("apt-get", "fetch the list of Debian packages").arg("update").run()
}

fn unpack(folder: &Path, package: &str, name: &str) -> Result<PathBuf> {
    let (download, unpacked) = (folder.join(format!("{name}.download")), folder.join(name));
    for folder in [&download, &unpacked] {
        remove(folder)?;
        fs::create_dir_all(folder)?;
    }
    let get = || apt("apt-get", &format!("download {package}")).args(["download", package]).directory(&download).run();
    // A list that is some weeks old names versions that no longer exist.
    get().or_else(|_| update().and_then(|()| get()))?;
    let archive = find(&download, &|name| name.ends_with(".deb"))?.context("apt-get downloaded no package")?;
    Invocation::new(format!("unpack {package}"), "dpkg-deb").arg("--extract").arg(archive).arg(&unpacked).run()?;
    remove(&download)?;
    Ok(unpacked)
}

fn pack(folder: &Path, kernel: &Path, busybox: &Path, output: &Path) -> Result<()> {
    let root = folder.join("initramfs");
    remove(&root)?;
    for name in ["bin", "modules", "proc", "sys", "dev", "files", "results", "memory", "root"] {
        fs::create_dir_all(root.join(name))?;
    }
    let places = ["bin/busybox", "usr/bin/busybox"].map(|place| busybox.join(place));
    let program = places.iter().find(|place| place.is_file()).context("the package contains no busybox")?;
    fs::copy(program, root.join("bin/busybox"))?;
    for (number, module) in MODULES.iter().enumerate() {
        let (plain, compressed) = (format!("{module}.ko"), format!("{module}.ko.xz"));
        let Some(path) = find(kernel, &|name| name == plain || name == compressed)? else {
            // In later kernels it is part of another module.
            ensure!(*module == "fscache", "the kernel has no module `{module}`");
            continue;
        };
        let mut copy = root.join(format!("modules/{number:02}-{module}.ko"));
        if path.extension().is_some_and(|ending| ending == "xz") {
            copy.set_extension("ko.xz");
        }
        fs::copy(&path, &copy)?;
        if copy.extension().is_some_and(|ending| ending == "xz") {
            Invocation::new(format!("unpack the module {module}"), "xz").arg("--decompress").arg(&copy).run()?;
        }
    }
    fs::write(root.join("init"), INIT)?;
    // The exit status of a pipe does not show a failure of its first command, hence the temporary file.
    let script = "chmod 755 init && find . | sort | cpio --create --format=newc --quiet --owner=0:0 > ../initramfs.cpio \
                  && gzip --fast --no-name < ../initramfs.cpio > \"$0\" && rm ../initramfs.cpio";
    Invocation::new("pack the first file system", "sh").args(["-c", script]).arg(output).directory(&root).run()?;
    remove(&root)
}

/// The first file below a directory whose name is accepted.
fn find(folder: &Path, wanted: &dyn Fn(&str) -> bool) -> Result<Option<PathBuf>> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            if let Some(found) = find(&entry.path(), wanted)? {
                return Ok(Some(found));
            }
        } else if wanted(&entry.file_name().to_string_lossy()) {
            return Ok(Some(entry.path()));
        }
    }
    Ok(None)
}

fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", folder.display()))
        }
        _ => Ok(()),
    }
}
