// The three graphs; what is pointed at stands out in the view too.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { aggregateColour } from '../figure.mjs';
import { layout } from '../layout.mjs';
import { arrows } from '../parts.jsx';

const kinds = [['cg', 'Connectivity'], ['cdd', 'Dependencies'], ['lacg', 'Loop-aggregated']];
const about = {
  cg: 'Links and joints; loop joints are dashed.',
  cdd: 'An arrow goes to each link whose motion depends on another one; dashed ones are made by loops.',
  lacg: 'Links that a loop binds are one aggregate link: what is left is a tree.',
};
const curve = ([first, ...rest]) => rest.length < 2 ? `M${first.x} ${first.y}L${rest.map(({ x, y }) => `${x} ${y}`).join('L')}`
  : `M${first.x} ${first.y}${rest.slice(0, -1).map((point, i) => { const next = rest[i + 1], last = i === rest.length - 2; return `Q${point.x} ${point.y} ${last ? next.x : (point.x + next.x) / 2} ${last ? next.y : (point.y + next.y) / 2}`; }).join('')}`;

function Picture({ graph, kind, lit, session }) {
  const drawn = useMemo(() => layout(graph), [graph]);
  const [zoom, setZoom] = useState(1);
  const point = (what) => ({
    tabIndex: 0, onMouseEnter: () => session.light(what), onMouseLeave: () => session.light({}), onFocus: () => session.light(what), onBlur: () => session.light({}),
  });
  return (
    <>
      <div class="graph">
        <svg viewBox={`0 0 ${drawn.width} ${drawn.height}`} style={{ width: `${zoom * 100}%`, maxWidth: `${zoom * drawn.width}px` }} role="group" aria-label={`${kinds.find(([id]) => id === kind)[1]} graph`}>
          <defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0L8 4L0 8z" /></marker></defs>
          {drawn.edges.map((edge) => {
            const on = edge.name && lit.joints?.includes(edge.name);
            const word = edge.name ? `${edge.name}, ${edge.type}${edge.loop ? ', loop joint' : ''}` : `${drawn.nodes[edge.from].name} to ${drawn.nodes[edge.to].name}`;
            return (
              <g class={`edge ${edge.loop ? 'loop' : ''} ${on ? 'lit' : ''}`} role="img" aria-label={word} {...(edge.name ? point({ joints: [edge.name] }) : {})}>
                <path class="wide" d={curve(edge.points)} />
                <path d={curve(edge.points)} marker-end={kind === 'cg' && edge.loop ? undefined : 'url(#arrow)'} />
                {edge.name && <text x={edge.x} y={edge.y + 4}>{edge.name}</text>}
              </g>);
          })}
          {drawn.nodes.map((node, i) => (
            <g class={`node ${node.links.some((link) => lit.links?.includes(link)) ? 'lit' : ''}`} role="img" aria-label={`${node.name}${node.links.length > 1 ? `, mobility ${node.mobility}` : ''}`} {...point({ links: node.links })}>
              <rect x={node.x - node.width / 2} y={node.y - node.height / 2} width={node.width} height={node.height} rx="6"
                style={node.links.length > 1 ? { stroke: aggregateColour(i), strokeWidth: 3 } : {}} />
              {node.lines.map((each, k) => <text x={node.x} y={node.y + (k - (node.lines.length - 1) / 2) * 17 + 4.5}>{each}</text>)}
            </g>))}
        </svg>
      </div>
      <div class="downloads">
        <button onClick={() => setZoom(Math.min(8, zoom * 1.4))} aria-label="Larger">+</button>
        <button onClick={() => setZoom(Math.max(1, zoom / 1.4))} aria-label="Smaller">−</button>
      </div>
    </>
  );
}

export function Graph({ session, robot, lit }) {
  const [kind, setKind] = useState('lacg');
  const [found, setFound] = useState(null);
  useEffect(() => {
    let wanted = true;
    setFound(null);
    session.ask('graph', { kind }).then((graph) => wanted && setFound({ graph, kind }), (error) => wanted && setFound({ error: error.message }));
    return () => { wanted = false; };
  }, [robot.scene, kind]);
  return (
    <div>
      <div class="choice" role="radiogroup" aria-label="Graph" onKeyDown={arrows}>{kinds.map(([id, title]) => (
        <button role="radio" aria-checked={kind === id} tabIndex={kind === id ? 0 : -1} class={kind === id ? 'on' : ''} onClick={() => setKind(id)}>{title}</button>))}</div>
      <p class="quiet small">{about[kind]}</p>
      {found?.error && <p class="verdict bad">{found.error}</p>}
      {found?.graph && found.kind === kind && <Picture graph={found.graph} kind={kind} lit={lit} session={session} />}
    </div>
  );
}
