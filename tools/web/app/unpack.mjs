// Begins the page: its own script stands in it gzipped, as the module does.
import { bytesOf } from './embedded.mjs';

const script = document.createElement('script');
script.type = 'module';
script.textContent = await new Response(new Blob([bytesOf('page')]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
document.body.append(script);
