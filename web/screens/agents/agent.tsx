import { createElement, lazy, Suspense, useEffect, type ComponentType } from 'react'
import type { AgentRecord } from '../../../schemas/agent/record.ts'
import { partOf } from '../../frame/failures.ts'
import { pagePath, PageLink, useGo } from '../../frame/page-link.tsx'
import { agentsTopic, inboxTopic } from '../../live/topics.ts'
import { useLostAt, useRecords, useTopic } from '../../live/use-live.ts'
import { useKeys } from '../../parts/keys/use-keys.ts'
import { LoadingRows } from '../../parts/states/notices.tsx'
import { StateWord } from '../../parts/states/shape.tsx'
import { CutText } from '../../parts/text/cut-text.tsx'
import { clockText } from '../../parts/time/dates.ts'
import styles from './agents.module.css'
import { KEYS } from './keys.ts'
import { agentRows, agentWord } from './rows.ts'

const TABS = [
  { name: 'talk', title: 'Conversation', load: () => import('./talk/talk.tsx') },
  { name: 'terminal', title: 'Terminal', load: () => import('./terminal.tsx') },
  { name: 'policy', title: 'Policy', load: () => import('./policy/policy.tsx') },
  { name: 'usage', title: 'Usage', load: () => import('./usage.tsx') },
  { name: 'state', title: 'State', load: () => import('./facts.tsx') },
] as const

const VIEWS = new Map(
  TABS.map(({ name, load }) => [name as string, lazy(partOf<{ default: ComponentType<any> }>(load))] as const),
)

/** One agent, by tabs. */
export function AgentView({ agent, tab }: { agent: AgentRecord; tab: string }) {
  const inbox = useRecords(useTopic(inboxTopic).cache)
  const agents = useRecords(useTopic(agentsTopic).cache)
  const row = agentRows(agents, inbox).find((each) => each.agent === agent) ?? agentRows([agent], inbox)[0]!
  const lostAt = useLostAt()
  const go = useGo()
  const { id, name } = agent
  const shown = VIEWS.has(tab) ? tab : 'talk'
  useKeys([{ ...KEYS.back, run: () => go('/agents', { keepSearch: true }) }])
  useEffect(() => {
    document.title = name
  }, [name])
  return (
    <div className={styles['agent']}>
      <header className={styles['header']}>
        <PageLink path="/agents" keepSearch className="back">
          ‹ Agents
        </PageLink>
        <h1 className="cut">
          <CutText text={name} />
        </h1>
        <StateWord state={row.state} word={row.request ? 'waiting for you' : agentWord(row)} />
        {row.request && shown !== 'talk' && (
          <PageLink path={pagePath('inbox', row.request.id)}>Show the request</PageLink>
        )}
        {lostAt !== null && <span className="dated">as of {clockText(lostAt)}</span>}
        <nav aria-label={`Parts of ${name}`}>
          {TABS.map(({ name: each, title }) => (
            <PageLink key={each} path={pagePath('agents', id, each)} keepSearch isCurrent={each === shown}>
              {title}
            </PageLink>
          ))}
        </nav>
      </header>
      <Suspense fallback={<LoadingRows />}>{createElement(VIEWS.get(shown)!, { agent, row })}</Suspense>
    </div>
  )
}
