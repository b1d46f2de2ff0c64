import { useVirtualizer } from '@tanstack/react-virtual'
import {
  useCallback,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { useKeys } from '../keys/use-keys.ts'
import { CutText } from '../text/cut-text.tsx'
import { movedIndex } from './roving.ts'
import { treeMove, treeRows, type TreeNode, type TreeRow } from './tree-rows.ts'
import styles from './tree.module.css'

interface TreeProps<Node extends TreeNode> {
  label: string
  roots: readonly Node[]
  selected: string | null
  onSelect(id: string): void
  /** Elements after the label of a node. */
  facts(node: Node): ReactNode
  /** Words for folded siblings: "7 more in sync". */
  foldedText(count: number): string
}

/** Height of a row in pixels, which depends on the density and on the pointer. */
const rowHeight = (element: HTMLElement | null): number =>
  (element && Number.parseInt(getComputedStyle(element).getPropertyValue('--row'), 10)) || 28
const rowId = (id: string) => `tree-${id}`

/** A tree whose visible rows alone exist. The focused row is an active descendant. */
export function Tree<Node extends TreeNode>(props: TreeProps<Node>) {
  const { label, roots, selected, onSelect, facts, foldedText } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const [focused, setFocused] = useState<string | null>(selected)
  const rows = useMemo(() => treeRows(roots, toggled), [roots, toggled])
  const virtual = useVisibleRows(rows, scroller)
  const focus = (next: number) => {
    setFocused(rows[next]!.id)
    virtual.scrollToIndex(next, { align: 'auto' })
  }
  const toggle = (id: string) => setToggled((ids) => (ids.has(id) ? without(ids, id) : new Set([...ids, id])))
  const choose = ({ id, node, expanded }: TreeRow<Node>) => {
    setFocused(id)
    if (expanded === null && node) onSelect(id)
    else toggle(id)
  }
  const onKeyDown = useTreeKeys({ rows, focused, toggle, focus, choose, enter: () => scroller.current?.focus() })
  const shown = virtual.getVirtualItems().map(({ index: at, start }) => ({ row: rows[at]!, start }))
  return (
    <div
      ref={scroller}
      className={styles['tree']}
      role="tree"
      aria-label={label}
      aria-activedescendant={shown.some(({ row }) => row.id === focused) ? rowId(focused!) : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div className={styles['all']} style={{ '--height': `${virtual.getTotalSize()}px` } as CSSProperties}>
        {shown.map(({ row, start }) => (
          <Row
            key={row.id}
            row={row}
            start={start}
            isSelected={row.id === selected}
            isFocused={row.id === focused}
            onChoose={() => choose(row)}
          >
            {row.node ? <CutText text={row.node.label} /> : foldedText(row.folded)}
            {row.node && facts(row.node)}
          </Row>
        ))}
      </div>
    </div>
  )
}

function useVisibleRows(rows: readonly { id: string }[], scroller: RefObject<HTMLDivElement | null>) {
  const height = rowHeight(scroller.current)
  return useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    // Another function makes the virtualizer measure all rows again.
    getItemKey: useCallback((index: number) => rows[index]!.id, [rows, height]),
    overscan: 12,
  })
}

interface TreeKeys<Node extends TreeNode> {
  rows: readonly TreeRow<Node>[]
  focused: string | null
  toggle(id: string): void
  focus(index: number): void
  choose(row: TreeRow<Node>): void
  /** Moves the focus to the tree. */
  enter(): void
}

/** Keys of the page that move in the tree. Returns the handler of keys in the tree. */
function useTreeKeys<Node extends TreeNode>({ rows, focused, toggle, focus, choose, enter }: TreeKeys<Node>) {
  const index = rows.findIndex(({ id }) => id === focused)
  const step = (key: string) => () => {
    enter()
    const next = movedIndex(key, index, rows.length)
    if (next !== null) focus(next)
  }
  useKeys([
    { keys: 'j', does: 'Next row', run: step('j') },
    { keys: 'k', does: 'Previous row', run: step('k') },
    { keys: 'Enter', does: 'Open the row', run: () => rows[index] && choose(rows[index]) },
  ])
  return (event: KeyboardEvent) => {
    const move = treeMove(event.key, index, rows)
    const next = move === null ? movedIndex(event.key, index, rows.length) : null
    const isChoice = event.key === 'Enter' || event.key === ' '
    if ((move === null && next === null && !isChoice) || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    if (move !== null && 'toggle' in move) toggle(move.toggle)
    else if (move !== null) focus(move.focus)
    else if (next !== null) focus(next)
    else if (rows[index]) choose(rows[index])
  }
}

interface RowProps {
  row: TreeRow<TreeNode>
  /** Distance from the top in pixels. */
  start: number
  isSelected: boolean
  isFocused: boolean
  onChoose(): void
  /** The label, then the facts. */
  children: [label: ReactNode, facts: ReactNode]
}

function Row({ row, start, isSelected, isFocused, onChoose, children: [label, facts] }: RowProps) {
  const { id, level, position, siblings, expanded } = row
  return (
    <div
      id={rowId(id)}
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={expanded ?? undefined}
      aria-selected={isSelected}
      data-focused={isFocused}
      className={styles['row']}
      style={{ '--start': `${start}px`, '--level': level - 1 } as CSSProperties}
      onClick={onChoose}
    >
      <span className="cut">
        <span className={styles['twist']} aria-hidden="true">
          {expanded === null ? '' : expanded ? '▾' : '▸'}
        </span>
        {label}
      </span>
      {facts}
    </div>
  )
}

const without = (ids: ReadonlySet<string>, id: string) => new Set([...ids].filter((each) => each !== id))
