import { useParams } from '@tanstack/react-router'
import { memo, useEffect, useState } from 'react'
import { useAddressText } from '../../frame/address.ts'
import { useAwake } from '../../frame/decisions.ts'
import { pagePath, PageLink, useGo } from '../../frame/page-link.tsx'
import { ScreenHead } from '../../frame/screen-head.tsx'
import { TopicStates } from '../../frame/topic-states.tsx'
import { workflowsTopic } from '../../live/topics.ts'
import { useRecords, useTopic } from '../../live/use-live.ts'
import { FilterField, NoMatch } from '../../parts/forms/filter-field.tsx'
import { useKeys } from '../../parts/keys/use-keys.ts'
import { movedIndex } from '../../parts/lists/roving.ts'
import { EmptyNotice } from '../../parts/states/notices.tsx'
import { Shape } from '../../parts/states/shape.tsx'
import { Quoted } from '../../parts/text/quoted.tsx'
import { Age } from '../../parts/time/age.tsx'
import { KEYS } from './keys.ts'
import { Next } from './next.tsx'
import { matchingRows, occasionText, SECTIONS, workflowRows, type WorkflowRow } from './rows.ts'
import { useAgents } from './use-agents.ts'
import { WorkflowView } from './workflow.tsx'

/** Workflows: when they fire, what they send, and how that ended. */
export default function WorkflowsScreen() {
  const { id } = useParams({ strict: false }) as { id?: string }
  const topic = useTopic(workflowsTopic)
  const all = useRecords(topic.cache)
  const agents = useAgents()
  const [query, setQuery] = useAddressText('q')
  const rows = workflowRows(all, agents)
  const shown = matchingRows(rows, query)
  // Without an id, a change of the order does not replace the workflow that was shown first.
  const [first, setFirst] = useState<string | null>(null)
  const wanted = id ?? first
  const row = rows.find(({ workflow }) => workflow.id === wanted) ?? (id === undefined ? shown[0] : undefined)
  const isAwake = useAwake(row?.workflow.id ?? null)
  useEffect(() => {
    if (first === null && row) setFirst(row.workflow.id)
  }, [first, row])
  const go = useGo()
  const move = (key: string) => {
    const next = movedIndex(key, row ? shown.indexOf(row) : -1, shown.length)
    if (next !== null)
      go(pagePath('workflows', shown[next]!.workflow.id), { replace: id !== undefined, keepSearch: true })
  }
  useKeys([
    { ...KEYS.next, run: () => move('j') },
    { ...KEYS.previous, run: () => move('k') },
    { ...KEYS.back, run: () => go('/workflows', { keepSearch: true }) },
  ])
  return (
    <div className="two" data-open={id !== undefined}>
      <section className="list" aria-label="Workflows">
        <ScreenHead title="Workflows">
          <FilterField label="Filter workflows" placeholder="name, agent, trigger" value={query} onChange={setQuery} />
        </ScreenHead>
        <TopicStates topic={topic} name="workflows" count={all.length} needs="the role viewer">
          {shown.length === 0 && <NoMatch onClear={() => setQuery('')} />}
          {SECTIONS.map((section) => (
            <Section key={section} title={section} rows={shown} selected={row} />
          ))}
        </TopicStates>
      </section>
      <article className="detail" aria-label="The selected workflow">
        <PageLink path="/workflows" className="back">
          ‹ Workflows
        </PageLink>
        {row && <WorkflowView key={row.workflow.id} row={row} workflows={all} isAwake={isAwake} />}
        {!row && id !== undefined && topic.isKnown && (
          <EmptyNotice what="No workflow has this id. It may have been deleted." />
        )}
      </article>
    </div>
  )
}

interface SectionProps {
  title: WorkflowRow['section']
  rows: readonly WorkflowRow[]
  selected: WorkflowRow | undefined
}

function Section({ title, rows, selected }: SectionProps) {
  const some = rows.filter(({ section }) => section === title)
  if (some.length === 0) return null
  return (
    <section>
      <h2 className="group">
        {title} <span className="num">{some.length}</span>
      </h2>
      <ul>
        {some.map((row) => (
          <Entry key={row.workflow.id} row={row} isSelected={row.workflow.id === selected?.workflow.id} />
        ))}
      </ul>
    </section>
  )
}

const Entry = memo(
  function Entry({ row: { workflow, state, word, agent }, isSelected }: { row: WorkflowRow; isSelected: boolean }) {
    const { id, name, trigger_config, next_fire_at, last_fired_at, last_error } = workflow
    return (
      <li>
        <PageLink path={pagePath('workflows', id)} isCurrent={isSelected} className="entry">
          <Shape state={state} word={word} />
          <span className="cut">
            <b>
              <Quoted text={name} />
            </b>{' '}
            <span className="soft">{trigger_config.type.replaceAll('_', ' ')}</span>
          </span>
          <span className="soft">{next_fire_at === null ? occasionText(workflow) : <Next at={next_fire_at} />}</span>
          <span className="below">
            {last_error !== null && <Quoted text={last_error} />}
            {last_error === null && (
              <>
                {agent === null ? word : <Quoted text={agent} />},{' '}
                {last_fired_at === null ? 'never fired' : <>fired {<Age at={last_fired_at} ago />}</>}
              </>
            )}
          </span>
        </PageLink>
      </li>
    )
  },
  (before, after) =>
    before.isSelected === after.isSelected &&
    before.row.workflow === after.row.workflow &&
    before.row.word === after.row.word &&
    before.row.agent === after.row.agent,
)
