// check.mjs FILE.yaml: is the job as the published schema of batch/v1 wants it? The schemas of kubernetes-models come from Kubernetes'
// OpenAPI description.
import {readFileSync} from 'node:fs';
import yaml from 'js-yaml';
import {Job} from 'kubernetes-models/batch/v1';

const manifest = yaml.load(readFileSync(process.argv[2], 'utf8'));
if (manifest.apiVersion !== 'batch/v1' || manifest.kind !== 'Job') throw new Error('not a Job of batch/v1');
new Job(manifest).validate();
const spec = manifest.spec;
const shards = spec.template.spec.containers[0].env.find((each) => each.name === 'KINEMORPH_SHARDS').value;
if (spec.completionMode !== 'Indexed' || String(spec.completions) !== shards) throw new Error('completions and KINEMORPH_SHARDS differ');
console.log('valid');
