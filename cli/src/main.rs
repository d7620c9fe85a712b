//! spine
use std::io::Read;
fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let mut code = String::new();
    std::io::stdin().read_to_string(&mut code)?;
    let sandbox = isolette::Sandbox::builder().image(&args[1]).temp_output().build()?;
    for _ in 0..args.get(2).map_or(1, |n| n.parse().unwrap()) {
        let t = std::time::Instant::now();
        let r = sandbox.run(&code);
        eprintln!("{:?}", t.elapsed());
        match r { Ok(r) => println!("{}", serde_json::to_string_pretty(&r)?), Err(e) => println!("{e}\n{:?}", e.partial()) }
    }
    Ok(())
}
