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
const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: "light" });
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
await page.addInitScript(() => document.addEventListener("securitypolicyviolation", (event) => {
  console.log(`forbidden: ${event.violatedDirective} ${event.blockedURI}`);
}));

const ROW = ".table .body .row";
const screenshot = async (name) => {
  const bytes = await page.screenshot({ path: join(folder, `${name}.png`) });
  return createHash("sha256").update(bytes).digest("hex");
};
const text = (selector) => page.locator(selector).first().innerText();
const frame = () => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
// How many colours there are: a page or a canvas without any content has few.
const painted = () => page.evaluate(() => {
  const canvas = document.querySelector("canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return new Set(new Uint32Array(data.buffer)).size;
});
const heights = (...selectors) =>
  page.evaluate((all) => all.map((one) => document.querySelector(one)?.offsetHeight ?? 0), selectors);
const expect = (found, wanted, what) => {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) throw new Error(`${what}: ${JSON.stringify(found)}`);
};

const steps = {
  async files() {
    await page.goto(url);
    await page.locator(ROW).first().waitFor();
    await frame();
    const light = await screenshot("light");
    const parts = await heights(".facts", "canvas", ".code", ".stream .block", ".pictures img");
    // The filter, and the keys.
    await page.keyboard.press("/");
    await page.keyboard.type("http denied");
    expect(await page.locator(ROW).count(), 3, "rows that match");
    await page.keyboard.press("ArrowDown");
    const details = await text("aside.details");
    if (!details.includes("rule") || !details.includes("denied")) throw new Error(details);
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement.className), "details", "Enter leads to the details");
    const selected = () => page.locator(`${ROW}.selected span`).first().innerText();
    const number = Number(await selected());
    await page.keyboard.press("j");
    expect(Number(await selected()), number + 1, "j selects the next");
    await page.keyboard.press("k");
    expect(Number(await selected()), number, "k selects the one before");
    await page.keyboard.press("Escape");
    expect(await page.locator("input[type=search]").inputValue(), "", "Esc clears the filter");
    await page.keyboard.press("End");
    for (const key of ["+", "-", "ArrowRight", "z", "f", "t"]) await page.keyboard.press(key);
    await page.mouse.move(720, 400);
    await frame();
    const dark = await screenshot("dark");
    const colors = await painted();
    await page.keyboard.press("?");
    expect(await page.locator("dialog[open]").count(), 1, "the keys are shown");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    expect(await page.locator(`${ROW}.selected`).count(), 0, "Esc deselects");
    const markup = await page.locator("img[onerror], section script, aside script").count();
    const pictures = await page.evaluate(() => [...document.images].filter((image) => image.naturalWidth > 0).length);
    const whole = await page.locator("body").innerText();
    await page.setViewportSize({ width: 480, height: 900 });
    await frame();
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    await screenshot("narrow");
    return { light, dark, colors, details, parts, markup, pictures, isWide, text: whole };
  },
  async many() {
    await page.goto(url);
    await page.locator(ROW).first().waitFor();
    // How long the thread of the page works for a frame, whenever the frame is shown.
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Performance.enable");
    const worked = async () => {
      const { metrics } = await devtools.send("Performance.getMetrics");
      return metrics.find(({ name }) => name === "TaskDuration").value * 1000;
    };
    const measure = async (act) => {
      const begin = await worked();
      const longest_ms = await page.evaluate(async (source) => {
        const act = new Function("number", "table", "canvas", source);
        const [table, canvas] = [document.querySelector(".table"), document.querySelector("canvas")];
        let longest = 0;
        for (let number = 0; number < 60; number += 1) {
          const begin = performance.now();
          act(number, table, canvas);
          await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
          longest = Math.max(longest, performance.now() - begin);
        }
        return longest;
      }, act);
      return { work_of_a_frame_ms: (await worked() - begin) / 120, longest_two_frames_ms: longest_ms };
    };
    const times = {
      nothing: await measure(""),
      scroll: await measure("table.scrollTop = number * 4000"),
      zoom: await measure(`canvas.dispatchEvent(new WheelEvent("wheel", {
        deltaY: number % 2 ? 90 : -80, clientX: 700, clientY: 300, cancelable: true }))`),
      select: await measure(`document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }))`),
    };
    const rows = await page.locator(ROW).count();
    const counted = async () => Number((await text(".filter .soft")).split(" ")[0].replaceAll(",", ""));
    const calls = await counted();
    await page.locator("input[type=search]").fill("denied");
    const denied = await counted();
    await frame();
    await screenshot("many");
    return { frames: times, rows, calls, denied };
  },
  async live() {
    await page.goto(url);
    await page.locator("dialog input").fill(token);
    await page.keyboard.press("Enter");
    await page.locator(".facts").waitFor();
    const tree = await text("aside.tree");
    const seen = await page.locator("body").innerText();
    await frame();
    await screenshot("live");
    // What Perfetto shows, which a link could not ask for.
    const saved = page.waitForEvent("download");
    await page.locator("header button", { hasText: "Perfetto" }).click();
    const name = (await saved).suggestedFilename();
    // Another cell, which the page gets from the server.
    await page.locator("aside.tree button", { hasText: "cell 1" }).click();
    await page.waitForFunction(() => document.querySelector(".code")?.textContent.includes("first cell'"));
    // Without a token the first request is refused, which the browser reports.
    const refused = messages.findIndex((message) => message.includes("401"));
    if (refused >= 0) messages.splice(refused, 1);
    return { tree, text: seen, first: await text(".code"), trace: name };
  },
};

try {
  const seen = await steps[step]();
  console.log(JSON.stringify({ messages, requests, ...seen }));
} finally {
  await browser.close();
}
