import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AgentRecord } from '../../../../schemas/agent/record.ts'
import { pagePath, PageLink } from '../../../frame/page-link.tsx'
import { useLive } from '../../../live/use-live.ts'
import { SidesMark } from '../../../parts/states/mark.tsx'
import { markOf } from '../../../parts/states/sides.ts'
import { StateWord } from '../../../parts/states/shape.tsx'
import { Quoted } from '../../../parts/text/quoted.tsx'
import { Age } from '../../../parts/time/age.tsx'
import shared from '../agents.module.css'
import type { AgentRow } from '../rows.ts'
import { costText, wholeText } from '../usage-text.ts'
import { useUsage } from '../use-usage.ts'
import { countText } from './composer-hint.ts'
import styles from './talk.module.css'

interface AboutProps {
  row: AgentRow
  /** Prompts that the agent has not taken yet; null while unknown. */
  queued: number | null
}

/** Facts beside the conversation: what the agent does, its manifest, and what it has used. */
export function About({ row, queued }: AboutProps) {
  const { agent, state, doing } = row
  const { name, status, connected, config, updated_at, managed_by } = agent
  const policy = config.tool_policy?.mode
  return (
    <aside className={styles['about']} aria-label={`About ${name}`}>
      <Facts
        title="Now"
        facts={{
          state: (
            <StateWord
              state={row.request === null ? state : 'busy'}
              word={`${status}, ${connected ? 'connected' : 'not connected'}`}
            />
          ),
          doing: <Quoted text={row.request === null ? doing : 'waiting for you'} />,
          changed: <Age at={updated_at} ago />,
          queue: queued === null ? 'unknown' : queued === 0 ? 'empty' : `${countText(queued, 'prompt')} queued`,
          directory: <Quoted text={config.working_dir} mono />,
          policy: <PageLink path={pagePath('agents', agent.id, 'policy')}>{policy ?? 'policy'}</PageLink>,
        }}
      />
      <Facts
        title="Manifest"
        facts={{
          manifest: managed_by === null ? 'none' : <Quoted text={`${managed_by.file}:${managed_by.line}`} mono />,
          ...(managed_by === null ? {} : { sync: <Sync name={name} changed={updated_at} /> }),
          runtime: <code>{config.runtime}</code>,
          model: <Quoted text={config.model ?? 'default of the program'} />,
        }}
      />
      <Used agent={agent} />
    </aside>
  )
}

function Facts({ title, facts }: { title: string; facts: Readonly<Record<string, ReactNode>> }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl className="facts num">
        {Object.entries(facts).map(([name, value]) => (
          <div key={name} className={shared['fact']}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** The three sides of its resource, with the age of the live side. */
function Sync({ name, changed }: { name: string; changed: string }) {
  const { clients } = useLive()
  const { data } = useQuery({
    queryKey: ['sides', name, changed],
    queryFn: ({ signal }) => clients.controller.getResource({ params: { kind: 'agents', name }, signal }),
  })
  if (!data) return 'unknown'
  const { at } = data.times.live
  return (
    <PageLink path={pagePath('state', 'agents', name)}>
      <SidesMark sides={data.sides} /> {data.states.includes('synced') ? 'in sync' : markOf(data.sides).words}
      {at !== null && (
        <>
          , seen <Age at={at} ago />
        </>
      )}
    </PageLink>
  )
}

function Used({ agent }: { agent: AgentRecord }) {
  const { data } = useUsage(agent)
  if (!data) return null
  const { current_session: now } = data.usage
  const limit = agent.config.max_cost_usd
  return (
    <Facts
      title="This session"
      facts={{
        cost: limit == null ? costText(now.total_cost_usd) : `${costText(now.total_cost_usd)} of ${costText(limit)}`,
        turns: wholeText(now.num_turns),
        tokens: `${wholeText(now.input_tokens)} in, ${wholeText(now.output_tokens)} out`,
      }}
    />
  )
}
