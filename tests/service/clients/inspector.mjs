// Looks at a page of the inspector with headless Chromium, and reports what it sees as JSON.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [step, url, token, folder] = process.argv.slice(2);
const isRoot = process.getuid() === 0;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: isRoot ? ["--no-sandbox"] : [],
});
const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, colorScheme: "light" });
const [messages, requests] = [[], []];
page.on("console", (message) => messages.push(message.text()));
page.on("pageerror", (error) => messages.push(String(error)));
page.on("dialog", (dialog) => {
  messages.push(`a dialog: ${dialog.message()}`);
  dialog.dismiss();
});
page.on("request", (request) => {
  if (!request.url().startsWith("data:") && request.url() !== url) requests.push(request.url());
});

const screenshot = async (name) => {
  const bytes = await page.screenshot({ path: join(folder, `${name}.png`) });
  return createHash("sha256").update(bytes).digest("hex");
};
const text = (selector) => page.locator(selector).first().innerText();

const steps = {
  async files() {
    await page.goto(url);
    await page.locator(".table .row:not(.head)").first().waitFor();
    const light = await screenshot("light");
    // The filter, and the keys.
    await page.keyboard.press("/");
    await page.keyboard.type("http denied");
    const filtered = await page.locator(".table .row:not(.head)").count();
    if (filtered !== 3) throw new Error(`${filtered} rows match`);
    await page.keyboard.press("ArrowDown");
    const details = await text("aside.details");
    if (!details.includes("rule") || !details.includes("denied")) throw new Error(details);
    await page.keyboard.press("Escape");
    await page.keyboard.press("End");
    await page.keyboard.press("+");
    await page.keyboard.press("f");
    await page.keyboard.press("t");
    const dark = await screenshot("dark");
    await page.keyboard.press("?");
    if (!(await page.locator("dialog[open]").count())) throw new Error("the keys are not shown");
    await page.keyboard.press("Escape");
    const markup = await page.locator("img[onerror], section script, aside script").count();
    const pictures = await page.evaluate(() => [...document.images].filter((image) => image.naturalWidth > 0).length);
    return { light, dark, details, markup, pictures, text: await page.locator("body").innerText() };
  },
  async many() {
    await page.goto(url);
    await page.locator(".table .row:not(.head)").first().waitFor();
    const frames = await page.evaluate(async () => {
      const table = document.querySelector(".table");
      const canvas = document.querySelector("canvas");
      const times = [];
      for (let number = 0; number < 60; number += 1) {
        const begin = performance.now();
        table.scrollTop = number * 4000;
        canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: number % 2 ? 90 : -80, clientX: 700, clientY: 300, cancelable: true }));
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        times.push(performance.now() - begin);
      }
      times.sort((one, other) => one - other);
      return { median_ms: times[30], longest_ms: times[59] };
    });
    const rows = await page.locator(".table .row:not(.head)").count();
    const counted = async () => Number((await text(".filter .soft")).split(" ")[0]);
    const calls = await counted();
    await page.locator("input[type=search]").fill("denied");
    const denied = await counted();
    await screenshot("many");
    return { frames, rows, calls, denied };
  },
  async live() {
    await page.goto(url);
    await page.locator("dialog input").fill(token);
    await page.keyboard.press("Enter");
    await page.locator(".facts").waitFor();
    const tree = await text("aside.tree");
    const seen = await page.locator("body").innerText();
    await screenshot("live");
    // Another cell, which the page gets from the server.
    await page.locator("aside.tree button", { hasText: "cell 1" }).click();
    await page.waitForFunction(() => document.querySelector(".code")?.textContent.includes("first cell'"));
    // Without a token the first request is refused, which the browser reports.
    const refused = messages.findIndex((message) => message.includes("401"));
    if (refused >= 0) messages.splice(refused, 1);
    return { tree, text: seen, first: await text(".code") };
  },
};

try {
  const seen = await steps[step]();
  console.log(JSON.stringify({ messages, requests, ...seen }));
} finally {
  await browser.close();
}
