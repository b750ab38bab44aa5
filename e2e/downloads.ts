import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from 'playwright/test';

const PNG_SIGNATURE = '89504e470d0a1a0a';

/** The file that a button offers, which has this name. */
export async function expectDownload(page: Page, button: Locator, name: string): Promise<Buffer> {
  const downloading = page.waitForEvent('download');
  await button.click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe(name);
  return readFile(await download.path());
}

/** The same of a PNG with more in it than one colour; its size in pixels. */
export async function expectPicture(
  page: Page,
  button: Locator,
  name: string,
): Promise<{ readonly width: number; readonly height: number }> {
  const file = await expectDownload(page, button, name);
  expect(file.toString('hex', 0, 8)).toBe(PNG_SIGNATURE);
  // One colour alone would take much less: the lines and the text are there.
  expect(file.length).toBeGreaterThan(5000);
  return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
}
