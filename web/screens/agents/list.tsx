import { memo, useState } from 'react'
import type { AgentRecord } from '../../../schemas/agent/record.ts'
import { pagePath, PageLink, useGo } from '../../frame/page-link.tsx'
import { ScreenHead } from '../../frame/screen-head.tsx'
import { TopicStates } from '../../frame/topic-states.tsx'
import { inboxTopic } from '../../live/topics.ts'
import { useRecords, useTopic, type TopicView } from '../../live/use-live.ts'
import { FilterField } from '../../parts/forms/filter-field.tsx'
import { useKeys } from '../../parts/keys/use-keys.ts'
import { movedIndex } from '../../parts/lists/roving.ts'
import { Shape } from '../../parts/states/shape.tsx'
import { Quoted } from '../../parts/text/quoted.tsx'
import { Age } from '../../parts/time/age.tsx'
import { Remaining } from '../../parts/time/deadline.tsx'
import styles from './agents.module.css'
import { KEYS } from './keys.ts'
import { agentCounts, agentRows, matching, SECTIONS, type AgentRow } from './rows.ts'

/** Agents by what they do, those that wait for a person first. */
export function AgentList({ topic }: { topic: TopicView<AgentRecord> }) {
  const agents = useRecords(topic.cache)
  const inbox = useRecords(useTopic(inboxTopic).cache)
  const [query, setQuery] = useState('')
  const [selected, setSelected] = useState<string | null>(null)
  const go = useGo()
  const all = agentRows(agents, inbox)
  const rows = matching(all, query)
  const current = rows.find(({ agent }) => agent.id === selected) ?? rows[0]
  const move = (key: string) => {
    const next = movedIndex(key, current ? rows.indexOf(current) : -1, rows.length)
    if (next !== null) setSelected(rows[next]!.agent.id)
  }
  useKeys([
    { ...KEYS.next, run: () => move('j') },
    { ...KEYS.previous, run: () => move('k') },
    { ...KEYS.open, run: () => current && go(pagePath('agents', current.agent.id, 'talk')) },
  ])
  return (
    <div className={styles['screen']}>
      <ScreenHead title="Agents">
        <span className="soft num">{agentCounts(all)}</span>
        <FilterField
          label="Filter agents"
          placeholder="is:busy runtime:codex words"
          value={query}
          onChange={setQuery}
        />
      </ScreenHead>
      <TopicStates topic={topic} name="agents" count={agents.length} needs="a role">
        <AgentTable rows={rows} current={current ?? null} />
      </TopicStates>
    </div>
  )
}

function AgentTable({ rows, current }: { rows: readonly AgentRow[]; current: AgentRow | null }) {
  return (
    <table className="table">
      <caption className="hide">Agents: activity, runtime and directory</caption>
      <thead>
        <tr>
          {['agent', 'doing', 'runtime', 'directory', 'since'].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      {SECTIONS.map((section) => (
        <Section
          key={section}
          section={section}
          rows={rows.filter((row) => row.section === section)}
          current={current}
        />
      ))}
    </table>
  )
}

function Section({ section, rows, current }: { section: string; rows: readonly AgentRow[]; current: AgentRow | null }) {
  if (rows.length === 0) return null
  return (
    <tbody>
      <tr>
        <th colSpan={5} scope="rowgroup">
          {section} <span className="num">{rows.length}</span>
        </th>
      </tr>
      {rows.map((row) => (
        <Row key={row.agent.id} row={row} isCurrent={row.agent.id === current?.agent.id} />
      ))}
    </tbody>
  )
}

const Row = memo(
  function Row({ row: { agent, state, doing, request }, isCurrent }: { row: AgentRow; isCurrent: boolean }) {
    const { id, name, config, updated_at } = agent
    return (
      <tr aria-current={isCurrent} className={styles['row']}>
        <td>
          <Shape state={state} />{' '}
          <PageLink path={pagePath('agents', id, 'talk')}>
            <Quoted text={name} />
          </PageLink>
        </td>
        <td>
          <Quoted text={doing} />
          {request?.deadline && (
            <>
              , <Remaining until={request.deadline} /> left
            </>
          )}
        </td>
        <td className="mono">{config.runtime}</td>
        <td>
          <Quoted text={config.working_dir} mono />
        </td>
        <td className="soft">
          <Age at={updated_at} />
        </td>
      </tr>
    )
  },
  (before, after) =>
    before.isCurrent === after.isCurrent &&
    before.row.agent === after.row.agent &&
    before.row.request === after.row.request,
)
