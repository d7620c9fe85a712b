//! Figures of matplotlib and pictures of Pillow in the image `python-science`, beyond the programs below `guests/science`.

use std::time::Duration;

use isolette::{Error, policy::Access};
use isolette_tests::{Case, Skipped, scenario};
use serde_json::json;

use crate::science::{builder, value};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

#[scenario(only = Python, because = "it has matplotlib")]
fn figures_that_are_shown_are_files_of_the_result(case: &Case) -> Result<(), Skipped> {
    let sandbox = builder(case)?.temp_output().build().unwrap();
    let program = "import matplotlib.pyplot as plt
for number in range(2):
    plt.figure()
    plt.plot([number, 1])
plt.show()
plt.figure().show()
plt.get_fignums()";
    let result = sandbox.run(program).unwrap();
    assert_eq!((result.error, &*result.stderr, result.value), (None, "", Some(json!([]))));
    let names: Vec<_> = result.files.iter().map(|file| &*file.path).collect();
    assert_eq!(names, ["/output/figure-1.png", "/output/figure-2.png", "/output/figure-3.png"]);
    Ok(())
}

#[scenario(only = Python, because = "it has matplotlib")]
fn figures_of_a_session_have_numbers_of_their_own(case: &Case) -> Result<(), Skipped> {
    let folder = tempfile::tempdir().unwrap();
    let sandbox = builder(case)?.mount(folder.path(), "/output", Access::ReadWrite).build().unwrap();
    let mut session = sandbox.session().unwrap();
    session.run("import matplotlib.pyplot as plt\nplt.plot([1, 2])").unwrap();
    session.run("plt.title('later'); plt.show()").unwrap();
    session.run("plt.plot([3]); plt.show()").unwrap();
    for name in ["figure-1.png", "figure-2.png"] {
        assert!(std::fs::read(folder.path().join(name)).unwrap().starts_with(PNG), "{name}");
    }
    Ok(())
}

#[scenario(only = Python, because = "it has matplotlib")]
fn without_a_folder_figures_say_what_is_missing(case: &Case) -> Result<(), Skipped> {
    let sandbox = builder(case)?.build().unwrap();
    let result = sandbox.run("import matplotlib.pyplot as plt\nplt.plot([1]); plt.show(); plt.get_fignums()").unwrap();
    assert_eq!((result.error, result.value), (None, Some(json!([1]))));
    assert!(result.stderr.contains("hint: figures are shown as files in /output"), "{}", result.stderr);
    Ok(())
}

#[scenario(only = Python, because = "it has matplotlib")]
fn what_cannot_be_drawn_is_an_error_of_python(case: &Case) -> Result<(), Skipped> {
    let mut limits = case.limits();
    limits.memory = 256 << 20;
    let sandbox = builder(case)?.limits(limits).temp_output().build().unwrap();
    let program = "import contourpy, io, numpy as np, matplotlib.ft2font as ft, matplotlib.pyplot as plt
from PIL import Image
names = []
for work in (
    lambda: plt.figure(figsize=(1e5, 1e5)).savefig('/output/x.png'),
    lambda: plt.figure(figsize=(300, 300)).savefig('/output/x.png'),
    lambda: Image.new('L', (9, 9)).save('/output/x.jp2'),
    lambda: ft.FT2Font(io.BytesIO(b'none')),
    lambda: Image.new('RGBA', (30000, 30000)),
    lambda: Image.open(io.BytesIO(b'\\x89PNG\\r\\n\\x1a\\n' + bytes(100))),
    lambda: contourpy.contour_generator(z=np.ones((9, 9)), name='threaded', chunk_size=2, thread_count=2).lines(0.5),
    lambda: plt.figure().text(0, 0, '$\\\\frac{1$'),
    lambda: plt.gcf().savefig('/output/x.png'),
):
    try:
        names.append(type(work()).__name__)
    except Exception as error:
        names.append(type(error).__name__)
    plt.close('all') if len(names) < 8 else None
names";
    let expected = json!([
        "ValueError",
        "MemoryError",
        "OSError",
        "RuntimeError",
        "MemoryError",
        "UnidentifiedImageError",
        "list",
        "Text",
        "ValueError",
    ]);
    assert_eq!(value(&sandbox, program), (Some(expected), true));
    Ok(())
}

#[scenario(only = Python, because = "it has matplotlib")]
fn drawing_ends_with_its_limit(case: &Case) -> Result<(), Skipped> {
    let mut limits = case.limits();
    limits.timeout = Duration::from_millis(300);
    let sandbox = builder(case)?.limits(limits).temp_output().build().unwrap();
    for program in [
        "import matplotlib.pyplot as plt\nwhile True: plt.figure().savefig('/output/x.png'); plt.close()",
        "from PIL import Image, ImageFilter\ni = Image.new('L', (3000, 3000))\nwhile True: i.filter(ImageFilter.GaussianBlur(50))",
    ] {
        let error = sandbox.run(program).unwrap_err();
        assert!(matches!(error, Error::Timeout { .. }), "{program}: {error:?}");
    }
    Ok(())
}

#[scenario(only = Python, because = "it has jinja2")]
fn templates_of_packages_are_found(case: &Case) -> Result<(), Skipped> {
    let sandbox = builder(case)?.build().unwrap();
    let program = "import jinja2
environment = jinja2.Environment(loader=jinja2.PackageLoader('pandas.io.formats', 'templates'))
[environment.get_template('string.tpl').filename, 'html.tpl' in environment.list_templates()]";
    let expected = json!(["/packages/pandas/io/formats/templates/string.tpl", true]);
    assert_eq!(value(&sandbox, program), (Some(expected), true));
    Ok(())
}
