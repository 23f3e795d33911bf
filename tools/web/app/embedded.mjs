// What stands in the page as scripts of text: as it is, or gzipped in base64.
export const textOf = (id) => document.getElementById(id).textContent;
export const bytesOf = (id) => Uint8Array.from(atob(textOf(id)), (letter) => letter.charCodeAt(0));
