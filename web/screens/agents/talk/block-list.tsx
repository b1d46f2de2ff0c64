import { useVirtualizer } from '@tanstack/react-virtual'
import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  type CSSProperties,
  type ReactNode,
  type Ref,
  type RefObject,
} from 'react'
import styles from './talk.module.css'
import type { Block } from './blocks.ts'

export interface BlockListControl {
  /** Scrolls to the block with this index. */
  show(index: number): void
  /** Scrolls to the end, and follows it. */
  showEnd(): void
}

export interface ConversationView {
  first: number
  last: number
  follows: boolean
}

interface BlockListProps {
  ref: Ref<BlockListControl>
  label: string
  blocks: readonly Block[]
  hasOlder: boolean
  isAtEnd: boolean
  onOlder(): void
  onNewer(): void
  /** Indexes of the first and of the last visible block, and whether the list follows the end. */
  onView(view: ConversationView): void
  block(block: Block): ReactNode
}

const ESTIMATED_HEIGHT = 44
/** Distance from an edge at which the next page is read, in pixels. */
const NEAR = 400
/** Distance from the end within which the list follows new entries. */
const AT_END = 40

type Rows = ReturnType<typeof useVirtualizer<HTMLDivElement, HTMLDivElement>>

interface PlaceParts extends Pick<BlockListProps, 'blocks' | 'isAtEnd'> {
  scroller: RefObject<HTMLDivElement | null>
  rows: Rows
}

/**
 * Follows the end from the end, else holds the first visible block in its place. Returns a function that notes the place
 * after a scroll, and one that goes to the end.
 */
function usePlace({ scroller, rows, blocks, isAtEnd }: PlaceParts) {
  const follows = useRef(true)
  const anchor = useRef<{ id: string; offset: number } | null>(null)
  const height = rows.getTotalSize()
  const toEnd = () => {
    const element = scroller.current
    if (element && follows.current && isAtEnd) element.scrollTop = element.scrollHeight
  }
  useLayoutEffect(() => {
    const held = anchor.current
    if (held === null || (follows.current && isAtEnd)) return toEnd()
    const index = blocks.findIndex(({ id }) => id === held.id)
    const start = index === -1 ? undefined : rows.getOffsetForIndex(index, 'start')?.[0]
    if (scroller.current && start !== undefined) scroller.current.scrollTop = start + held.offset
  }, [blocks, isAtEnd])
  // Rows that turn out higher than estimated must not hide the end.
  useEffect(toEnd, [height])
  const note = (): ConversationView | null => {
    const { scrollTop, scrollHeight, clientHeight } = scroller.current!
    follows.current = scrollHeight - scrollTop - clientHeight <= AT_END
    const items = rows.getVirtualItems()
    const first = items.find(({ end }) => end > scrollTop)
    if (!first) return null
    anchor.current = { id: blocks[first.index]!.id, offset: scrollTop - first.start }
    const last = items.findLast(({ start }) => start < scrollTop + clientHeight) ?? first
    return { first: first.index, last: last.index, follows: follows.current && isAtEnd }
  }
  const showEnd = () => {
    follows.current = true
    toEnd()
  }
  return { note, showEnd }
}

/** Scrolls over the blocks of the window, and asks for the pages around it. */
export function BlockList({ ref, label, blocks, hasOlder, isAtEnd, onOlder, onNewer, onView, block }: BlockListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const rows: Rows = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: blocks.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ESTIMATED_HEIGHT,
    // Another function makes the virtualizer measure all rows again.
    getItemKey: useCallback((index: number) => blocks[index]!.id, [blocks]),
    overscan: 6,
  })
  const { note, showEnd } = usePlace({ scroller, rows, blocks, isAtEnd })
  useImperativeHandle(ref, () => ({ show: (index) => rows.scrollToIndex(index, { align: 'start' }), showEnd }))
  const onScroll = () => {
    const view = note()
    if (view !== null) onView(view)
    const { scrollTop, scrollHeight, clientHeight } = scroller.current!
    if (scrollTop < NEAR && hasOlder) onOlder()
    if (scrollHeight - scrollTop - clientHeight < NEAR && !isAtEnd) onNewer()
  }
  return (
    <div
      ref={scroller}
      className={styles['scroller']}
      role="log"
      aria-live="off"
      aria-label={label}
      tabIndex={0}
      onScroll={onScroll}
    >
      <div className={styles['all']} style={{ '--height': `${rows.getTotalSize()}px` } as CSSProperties}>
        {rows.getVirtualItems().map(({ index, key, start }) => (
          <div
            key={key}
            ref={rows.measureElement}
            data-index={index}
            className={styles['block']}
            style={{ '--start': `${start}px` } as CSSProperties}
          >
            {block(blocks[index]!)}
          </div>
        ))}
      </div>
    </div>
  )
}
