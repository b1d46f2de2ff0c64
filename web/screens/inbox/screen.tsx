import { useParams, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { InboxItem } from '../../../schemas/gateway/inbox.ts'
import { Detail } from '../../parts/lists/detail.tsx'
import { pagePath, PageLink, useGo } from '../../frame/page-link.tsx'
import { ScreenHead } from '../../frame/screen-head.tsx'
import { TopicStates } from '../../frame/topic-states.tsx'
import { inboxTopic } from '../../live/topics.ts'
import type { Gap } from '../../live/live-store.ts'
import { useLive, useRecords, useTopic, type TopicView } from '../../live/use-live.ts'
import { useKeys } from '../../parts/keys/use-keys.ts'
import { Menu } from '../../parts/forms/menu.tsx'
import { movedIndex } from '../../parts/lists/roving.ts'
import { EmptyNotice } from '../../parts/states/notices.tsx'
import { Shape } from '../../parts/states/shape.tsx'
import { Quoted } from '../../parts/text/quoted.tsx'
import type { HeadingFocus } from './heading.tsx'
import { HeldDetail } from './held.tsx'
import { KEYS } from './keys.ts'
import { InboxList } from './list.tsx'
import { RequestDetail } from './request.tsx'
import {
  approvalId,
  approvalInAddress,
  arranged,
  FILTERS,
  filterOf,
  hiddenText,
  NOTHING,
  rowsOf,
  titleOf,
  waitingCount,
  type Arrangement,
  type Filter,
  type InboxRow,
} from './rows.ts'

/** The rows in the order in which they were first shown. */
function useArrangement(items: readonly InboxItem[], isKnown: boolean): [shown: Arrangement, showNew: () => void] {
  const kept = useRef(NOTHING)
  const [, render] = useState(0)
  kept.current = isKnown ? arranged(kept.current, items) : { rows: rowsOf(items), hidden: 0 }
  const showNew = () => {
    kept.current = NOTHING
    render((count) => count + 1)
  }
  return [kept.current, showNew]
}

/** Whether the heading of the detail takes the focus, and a function that requests it. */
function useHeadingFocus(id: string | null): [focus: HeadingFocus, take: () => void] {
  const first = useRef<string | null>(null)
  const hasMoved = useRef(false)
  const [count, setCount] = useState(0)
  first.current ??= id
  hasMoved.current ||= id !== first.current
  return [{ isTaken: hasMoved.current || count > 0, count }, () => setCount((before) => before + 1)]
}

const NEEDS = 'the permission approve'

/** Decisions that wait for a person. */
export default function InboxScreen() {
  const { id } = useParams({ strict: false }) as { id?: string }
  const filter = filterOf((useSearch({ strict: false }) as { show?: unknown }).show)
  const topic = useTopic(inboxTopic)
  const [shown, showNew] = useArrangement(useRecords(topic.cache), topic.isKnown)
  const go = useGo()
  const rows = filter === null ? shown.rows : shown.rows.filter(({ section }) => section === FILTERS[filter])
  const query = filter === null ? '' : `?show=${filter}`
  const row = rows.find((each) => each.id === id) ?? (id === undefined ? rows[0] : undefined)
  const [focus, takeFocus] = useHeadingFocus(row?.id ?? id ?? null)
  const open = (next: string) => go(pagePath('inbox', next) + query)
  const move = (key: string) => {
    const next = movedIndex(key, row ? rows.indexOf(row) : -1, rows.length)
    if (next !== null) open(rows[next]!.id)
  }
  const openHere = (here: string) => {
    open(here)
    takeFocus()
  }
  useKeys([
    { ...KEYS.next, run: () => move('j') },
    { ...KEYS.previous, run: () => move('k') },
    { ...KEYS.open, run: () => row && openHere(row.id) },
    { ...KEYS.showNew, run: showNew },
    { ...KEYS.back, run: () => go(`/inbox${query}`) },
  ])
  return (
    <div className="two" data-open={id !== undefined}>
      <section className="list" aria-label="Decisions that wait for a person">
        <ListHead
          shown={shown}
          topic={topic}
          filter={filter}
          onFilter={(next) => go(next === null ? '/inbox' : `/inbox?show=${next}`)}
          onShowNew={showNew}
        />
        <TopicStates topic={topic} name="inbox" count={shown.rows.length + topic.gaps.length} needs={NEEDS}>
          {rows.length === 0 && filter !== null && (
            <EmptyNotice what={`Nothing is waiting in this section: ${FILTERS[filter]}.`} />
          )}
          <InboxList rows={rows} selected={row?.id ?? null} query={query} />
        </TopicStates>
      </section>
      <Detail label="The selected decision" shown={row?.id ?? id ?? null}>
        {id !== undefined && (
          <PageLink path={`/inbox${query}`} className="back">
            ‹ Inbox{row && `, ${rows.indexOf(row) + 1} of ${rows.length}`}
          </PageLink>
        )}
        {row && <Decision row={row} focus={focus} />}
        {!row && id !== undefined && topic.isKnown && <Left id={id} focus={focus} />}
      </Detail>
    </div>
  )
}

interface ListHeadProps {
  shown: Arrangement
  topic: Pick<TopicView<InboxItem>, 'isKnown' | 'gaps'>
  filter: Filter | null
  onFilter(filter: Filter | null): void
  onShowNew(): void
}

/** Heading of the list, its filter, and what it does not show. */
function ListHead({ shown, topic: { isKnown, gaps }, filter, onFilter, onShowNew }: ListHeadProps) {
  const waiting = waitingCount(shown)
  return (
    <>
      <ScreenHead title="Inbox" windowTitle={waiting === 0 ? 'Inbox' : `Inbox: ${waiting} waiting`}>
        {isKnown && <span className="soft num">{waiting} waiting for you</span>}
        <span className="space" />
        <FilterMenu filter={filter} onFilter={onFilter} />
      </ScreenHead>
      <NewRows text={hiddenText(shown)} onShow={onShowNew} />
      {isKnown && waiting === 0 && shown.rows.length > 0 && (
        <p className="group">
          Nothing is waiting for you.
          <button type="button" className="btn link" onClick={onShowNew}>
            Clear decided
          </button>
        </p>
      )}
      <Gaps gaps={gaps} />
    </>
  )
}

interface DecisionProps {
  row: InboxRow
  focus: HeadingFocus
}

function Decision({ row, focus }: DecisionProps) {
  const id = approvalId(row.items[0]!)
  if (id === null) return <HeldDetail key={row.id} row={row} focus={focus} />
  const ids = row.items.flatMap((item) => approvalId(item) ?? [])
  const title = ids.length > 1 ? titleOf(row.items) : null
  return <RequestDetail id={id} ids={ids} title={title} isGone={row.isGone} focus={focus} />
}

/** A decision of the address that waits no longer. The record of a request is kept. */
function Left({ id, focus }: { id: string; focus: HeadingFocus }) {
  const approval = approvalInAddress(id)
  if (approval === null)
    return <EmptyNotice what="This decision waits no longer: it was made, or its reason is gone." />
  return <RequestDetail id={approval} ids={[approval]} title={null} isGone focus={focus} />
}

function FilterMenu({ filter, onFilter }: { filter: Filter | null; onFilter(filter: Filter | null): void }) {
  const filters = Object.keys(FILTERS) as Filter[]
  return (
    <Menu
      text={filter === null ? 'All' : FILTERS[filter]}
      label={KEYS.filter.does}
      keys={KEYS.filter.keys}
      items={[
        { label: 'All', run: () => onFilter(null) },
        ...filters.map((each) => ({ label: FILTERS[each], run: () => onFilter(each) })),
      ]}
    />
  )
}

/** Decisions that could not be read: without them, the list must not look complete. */
function Gaps({ gaps }: { gaps: readonly Gap[] }) {
  const { store } = useLive()
  if (gaps.length === 0) return null
  return (
    <div className="notice" role="alert">
      {gaps.map(({ kind, service, detail }) => (
        <p key={kind}>
          <Shape state="warning" /> Incomplete, {kind} of {service}: <Quoted text={detail} />
        </p>
      ))}
      <button type="button" className="btn small" onClick={() => store.readAgain('inbox')}>
        Retry
      </button>
    </div>
  )
}

/** "1 new. Show": arrivals are announced politely. */
function NewRows({ text, onShow }: { text: string | null; onShow(): void }) {
  return (
    <div role="status">
      {text !== null && (
        <button type="button" className="newer" onClick={onShow}>
          {text}. Show <kbd>.</kbd>
        </button>
      )}
    </div>
  )
}
