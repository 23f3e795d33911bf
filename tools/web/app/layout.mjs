// Where the nodes and edges of a graph are drawn: rows from the world down.
import dagre from '@dagrejs/dagre';

const line = 17, mostLines = 6;
let pen = null;
function widthOf(text) {
  pen ??= Object.assign(document.createElement('canvas').getContext('2d'), { font: '13px system-ui, "DejaVu Sans", sans-serif' });
  return pen.measureText(text).width;
}

/** The lines of a node: the links of an aggregate one below the other. */
function linesOf({ links, mobility }) {
  const lines = links.length <= mostLines ? [...links] : [...links.slice(0, mostLines - 1), `and ${links.length - mostLines + 1} more`];
  if (links.length > 1) lines.push(`mobility ${mobility}`);
  return lines;
}

export function layout({ nodes, edges }) {
  const graph = new dagre.graphlib.Graph({ multigraph: true }).setGraph({ nodesep: 18, ranksep: 46, marginx: 12, marginy: 12 }).setDefaultEdgeLabel(() => ({}));
  nodes.forEach((node, i) => {
    const lines = linesOf(node);
    graph.setNode(String(i), { lines, width: Math.max(...lines.map(widthOf)) + 20, height: lines.length * line + 12 });
  });
  edges.forEach((edge, i) => graph.setEdge(String(edge.from), String(edge.to), { width: edge.name ? widthOf(edge.name) + 8 : 0, height: edge.name ? 16 : 0, labelpos: 'c' }, String(i)));
  dagre.layout(graph);
  const { width = 1, height = 1 } = graph.graph();
  return {
    width, height,
    nodes: nodes.map((node, i) => ({ ...node, ...graph.node(String(i)) })),
    edges: edges.map((edge, i) => ({ ...edge, ...graph.edge(String(edge.from), String(edge.to), String(i)) })),
  };
}
