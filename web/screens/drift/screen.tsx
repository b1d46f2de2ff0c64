import { memo, useEffect, useMemo, useRef, useState } from 'react'
import type { Drift } from '../../../schemas/resource.ts'
import { useAddressText } from '../../frame/address.ts'
import { ActionLimit } from '../../frame/action-limit.tsx'
import { CurlMenu, type NamedRequest } from '../../frame/curl-menu.tsx'
import { AcceptDialog } from '../../frame/plans/accept-dialog.tsx'
import { useAwake, useMayAct } from '../../frame/decisions.ts'
import { pagePath, PageLink } from '../../frame/page-link.tsx'
import { RevertDialog } from '../../frame/plans/revert-dialog.tsx'
import { ScreenHead } from '../../frame/screen-head.tsx'
import { TopicStates } from '../../frame/topic-states.tsx'
import { driftTopic } from '../../live/topics.ts'
import { useRecords, useTopic } from '../../live/use-live.ts'
import { FilterField, NoMatch } from '../../parts/forms/filter-field.tsx'
import { useKeys } from '../../parts/keys/use-keys.ts'
import { useFirstRows } from '../../parts/lists/first-rows.tsx'
import { movedIndex } from '../../parts/lists/roving.ts'
import { Shape } from '../../parts/states/shape.tsx'
import { ChangedValue } from '../../parts/text/changed-value.tsx'
import { fieldChanges } from '../../parts/text/field-changes.ts'
import { Quoted } from '../../parts/text/quoted.tsx'
import { ShortId } from '../../parts/text/short-id.tsx'
import { Age, Moment } from '../../parts/time/age.tsx'
import { ageText } from '../../parts/time/durations.ts'
import { useNow } from '../../parts/time/use-clock.ts'
import styles from './drift.module.css'
import { KEYS } from './keys.ts'
import { inOrder, matchingDrift, sectionsOf, summaryText, type DriftSection } from './rows.ts'
import { Timeline } from './timeline.tsx'

const STEP_MS = 60_000

type Open = { kind: 'revert' | 'accept'; drift: Drift } | null

/** Manual changes: their times, authors and ends. */
export default function DriftScreen() {
  const topic = useTopic(driftTopic)
  const all = useRecords(topic.cache)
  const [query, setQuery] = useAddressText('q')
  const records = useMemo(() => inOrder(matchingDrift(all, query)), [all, query])
  const now = useNow(STEP_MS)
  const [selected, setSelected] = useAddressText('id')
  const [open, setOpen] = useState<Open>(null)
  const current = records.find(({ id }) => id === selected) ?? records[0]
  const [shown, more] = useFirstRows(records, current)
  const sections = useMemo(() => sectionsOf(shown, now), [shown, now])
  const isAwake = useAwake(current?.id ?? null)
  const mayApply = useMayAct('apply')
  const move = (key: string) => {
    const next = movedIndex(key, current ? records.indexOf(current) : -1, records.length)
    if (next !== null) setSelected(records[next]!.id)
  }
  const act = (kind: 'revert' | 'accept') => () => {
    if (current?.resolution === null && isAwake && (kind === 'accept' || mayApply)) setOpen({ kind, drift: current })
  }
  useKeys([
    { ...KEYS.next, run: () => move('j') },
    { ...KEYS.previous, run: () => move('k') },
    { ...KEYS.revert, run: act('revert') },
    { ...KEYS.accept, run: act('accept') },
  ])
  return (
    <div className={styles['screen']}>
      <ScreenHead title="Drift">
        <span className="soft num wide">{summaryText(records, now)}</span>
        <span className="space" />
        <FilterField label="Filter changes" placeholder="resource, field, actor" value={query} onChange={setQuery} />
      </ScreenHead>
      <TopicStates topic={topic} name="drift" count={all.length} needs="the role viewer">
        {records.length === 0 && <NoMatch onClear={() => setQuery('')} />}
        <Timeline records={shown} />
        {sections.map((section) => (
          <Section
            key={section.title}
            section={section}
            current={current}
            mayRevert={mayApply}
            onSelect={setSelected}
            onOpen={setOpen}
          />
        ))}
        {more}
      </TopicStates>
      {current && (
        <div className="actions" role="group" aria-label="Actions on the selected change">
          <ActionLimit guard="apply" />
          <CurlMenu requests={requestsOf(current)} />
        </div>
      )}
      {open && <DriftDialog open={open} onClose={() => setOpen(null)} />}
    </div>
  )
}

function DriftDialog({ open: { kind, drift }, onClose }: { open: NonNullable<Open>; onClose(): void }) {
  if (kind === 'revert') return <RevertDialog records={[drift]} onClose={onClose} />
  return <AcceptDialog kind={drift.kind} name={drift.name} onClose={onClose} />
}

interface SectionProps extends Pick<RecordProps, 'mayRevert' | 'onSelect' | 'onOpen'> {
  section: DriftSection
  current: Drift | undefined
}

function Section({ section: { title, records }, current, ...rest }: SectionProps) {
  return (
    <section>
      <h2 className="group">{title}</h2>
      <ul>
        {records.map((drift) => (
          <Record key={drift.id} drift={drift} isCurrent={drift === current} {...rest} />
        ))}
      </ul>
    </section>
  )
}

const requestsOf = ({ id, kind, name }: Drift): NamedRequest[] => [
  { label: 'List', method: 'GET', path: '/controller/drift' },
  { label: 'Plan the revert', method: 'POST', path: `/controller/drift/${id}/plan` },
  { label: 'Revert', method: 'POST', path: `/controller/drift/${id}/revert`, body: {} },
  { label: 'Accept', method: 'POST', path: `/controller${pagePath('drift', kind, name, 'accept')}` },
]

interface RecordProps {
  drift: Drift
  isCurrent: boolean
  mayRevert: boolean
  onSelect(id: string): void
  onOpen(open: Open): void
}

const Record = memo(function Record({ drift, isCurrent, mayRevert, onSelect, onOpen }: RecordProps) {
  const { id, kind, name, resolution, first_seen, last_seen } = drift
  const isOpen = resolution === null
  const row = useRef<HTMLLIElement>(null)
  const act = (action: 'revert' | 'accept') => {
    onSelect(id)
    onOpen({ kind: action, drift })
  }
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  return (
    <li ref={row} className={styles['record']} aria-current={isCurrent}>
      <span className="soft num">
        <Moment at={first_seen} />
        <br />
        {isOpen ? <Age at={first_seen} /> : `for ${ageText(Date.parse(last_seen) - Date.parse(first_seen))}`}
      </span>
      <Shape state={isOpen ? 'drifted' : 'done'} word={resolution ?? 'open'} />
      <PageLink path={pagePath('state', kind, name)} className={styles['name']}>
        <Quoted text={`${kind}/${name}`} />
      </PageLink>
      <Fields drift={drift} />
      <Origin drift={drift} />
      {isOpen && (
        <span>
          <button type="button" className="btn small" disabled={!mayRevert} onClick={() => act('revert')}>
            Revert… {isCurrent && <kbd aria-hidden="true">{KEYS.revert.keys}</kbd>}
          </button>{' '}
          <button type="button" className="btn small" onClick={() => act('accept')}>
            Accept… {isCurrent && <kbd aria-hidden="true">{KEYS.accept.keys}</kbd>}
          </button>
        </span>
      )}
    </li>
  )
})

/** Each field that differs, with both values. */
function Fields({ drift: { path, last_applied, live } }: { drift: Drift }) {
  if (path === '') return <span>the resource is missing</span>
  const changes = fieldChanges({ path, before: last_applied, after: live })
  return (
    <span>
      {changes.map((change) => (
        <span key={change.path} className={styles['field']}>
          <Quoted text={change.path} mono />
          <ChangedValue before={change.before} after={change.after} />
        </span>
      ))}
      {changes.length === 0 && <Quoted text={path} mono />}
    </span>
  )
}

/** Who made the change, through what, and how it ended. */
function Origin({ drift: { actor, endpoint, request_id, resolution } }: { drift: Drift }) {
  return (
    <span className="soft fine">
      <Quoted text={actor ?? 'unknown'} />
      {endpoint !== null && (
        <>
          , <Quoted text={endpoint} />
        </>
      )}
      <br />
      {request_id !== null && (
        <>
          request <ShortId id={request_id} />
          {resolution !== null && ', '}
        </>
      )}
      {resolution}
    </span>
  )
}
