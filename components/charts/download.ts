/** Offers a text as a file. */
export function download(file: string, text: string, type: 'text/csv' | 'application/json'): void {
  downloadBlob(file, new Blob([text], { type: `${type};charset=utf-8` }));
}

/** Offers any content as a file. */
export function downloadBlob(file: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
