// A robot as the fragment of an address: its files, deflated, in base64url. Nothing of it is sent to a server.
import { folderBytes, filesIn } from './folder.mjs';
import { TooLarge, unpacked } from './packed.mjs';

/** Characters of a fragment that mail and chat programs let through. */
export const longest = 60_000;
const mark = '#robot=';
const mostShared = 40 * longest;  // bytes of files, which the names and the values come to
const mostUnpacked = 2 * mostShared;

async function deflated(bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer());
}

/** The fragment, and how many files were left out to keep it short (meshes). Throws where it stays too long. */
export async function fragmentOf({ files, name, values }) {
  const written = async (some) => {
    const bytes = await deflated(folderBytes({ '': JSON.stringify({ name, values }), ...some }));
    let text = '';
    for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
    return mark + btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  };
  const all = Object.keys(files).length, texts = Object.entries(files).filter(([path]) => /\.(urdf|urdfplus|sdf|world|mjcf|xml|mbs|usda|xacro|yaml|yml|config)$/i.test(path));
  const tries = [files, Object.fromEntries(texts), { [name]: files[name] }];
  let size = 0;
  for (const some of tries) {
    if (Object.values(some).reduce((sum, each) => sum + each.length, 0) > mostShared) continue;
    const fragment = await written(some);
    size = fragment.length;
    if (size <= longest) return { fragment, left: all - Object.keys(some).length };
  }
  throw new Error(`The description is too large for an address${size ? `: ${size.toLocaleString('en')} characters, and ${longest.toLocaleString('en')} are the limit` : ''}. \`kinemorph view FILE -o PAGE.html\` writes a page with the robot in it.`);
}

/** What a fragment holds: { files, name, values }; nothing where it is none. */
export async function robotOf(fragment) {
  if (!fragment.startsWith(mark)) return null;
  try {
    const text = atob(fragment.slice(mark.length).replaceAll('-', '+').replaceAll('_', '/'));
    const { '': about, ...files } = filesIn(await unpacked(Uint8Array.from(text, (letter) => letter.charCodeAt(0)), 'deflate-raw', mostUnpacked, 'The robot in this address'));
    const { name, values } = JSON.parse(new TextDecoder().decode(about));
    if (!Object.hasOwn(files, name)) throw new Error('no file');
    return { files, name, values };
  } catch (error) {
    if (error instanceof TooLarge) throw error;
    throw new Error('The robot in this address cannot be read: a part of the address is missing.');
  }
}
