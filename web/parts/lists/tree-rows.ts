export interface TreeNode {
  id: string
  label: string
  /** Shown even if its siblings are folded. */
  isOdd: boolean
  children?: readonly TreeNode[]
}

export interface TreeRow<Node extends TreeNode> {
  id: string
  /** Null for the row of folded siblings. */
  node: Node | null
  /** Folded siblings; empty for a node. */
  folded: number
  level: number
  /** Null without children. */
  expanded: boolean | null
  position: number
  siblings: number
}

/** More equal siblings than this fold into one row. */
const MOST_EQUAL = 3

const foldId = (parent: string) => `${parent}/…`

/**
 * Visible rows. Nodes with children are expanded and folds are closed; `toggled` has the ids of the exceptions. Equal
 * siblings fold into one row after the odd ones; odd siblings keep their order.
 */
export function treeRows<Node extends TreeNode>(roots: readonly Node[], toggled: ReadonlySet<string>): TreeRow<Node>[] {
  const rows: TreeRow<Node>[] = []
  const add = (parent: string, nodes: readonly Node[], level: number) => {
    const isEqual = ({ isOdd, children }: Node) => !isOdd && !children?.length
    const equal = nodes.filter(isEqual)
    const folds = level > 1 && equal.length > MOST_EQUAL
    const isOpen = toggled.has(foldId(parent))
    const shown = folds && !isOpen ? nodes.filter((node) => !isEqual(node)) : nodes
    const siblings = shown.length + (folds ? 1 : 0)
    for (const [index, node] of shown.entries()) {
      const children = (node.children ?? []) as readonly Node[]
      const expanded = children.length === 0 ? null : !toggled.has(node.id)
      rows.push({ id: node.id, node, folded: 0, level, expanded, position: index + 1, siblings })
      if (expanded) add(node.id, children, level + 1)
    }
    if (folds)
      rows.push({
        id: foldId(parent),
        node: null,
        folded: equal.length,
        level,
        expanded: isOpen,
        position: siblings,
        siblings,
      })
  }
  add('', roots, 1)
  return rows
}

export type TreeMove = { focus: number } | { toggle: string } | null

/** Effect of a key as in the WAI-ARIA tree pattern: right opens or enters, left closes or leaves. */
export function treeMove<Node extends TreeNode>(key: string, index: number, rows: readonly TreeRow<Node>[]): TreeMove {
  const row = rows[index]
  if (!row) return null
  if (key === 'ArrowRight' || key === 'l') {
    if (row.expanded === false) return { toggle: row.id }
    const next = rows[index + 1]
    return row.expanded && next && next.level > row.level ? { focus: index + 1 } : null
  }
  if (key !== 'ArrowLeft' && key !== 'h') return null
  if (row.expanded) return { toggle: row.id }
  const parent = rows.slice(0, index).findLastIndex(({ level }) => level < row.level)
  return parent === -1 ? null : { focus: parent }
}
