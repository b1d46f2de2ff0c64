import type { ReactNode } from 'react'
import type { AgentRecord } from '../../../schemas/agent/record.ts'
import { pagePath, PageLink } from '../../frame/page-link.tsx'
import { StateWord } from '../../parts/states/shape.tsx'
import { Quoted } from '../../parts/text/quoted.tsx'
import { Age, Moment } from '../../parts/time/age.tsx'
import styles from './agents.module.css'

/** The record of the agent: its state, its program and its manifest. */
export default function Facts({ agent }: { agent: AgentRecord }) {
  const { status, connected, restarts, last_error, warnings, managed_by, config, mux_session } = agent
  const facts: [name: string, value: ReactNode][] = [
    ['state', `${status}, ${connected ? 'connected' : 'not connected'}`],
    ['changed', <Age key="age" at={agent.updated_at} ago />],
    ['created', <Moment key="moment" at={agent.created_at} />],
    ['restarts', restarts],
    ['runtime', <code key="runtime">{config.runtime}</code>],
    ['model', <Quoted key="model" text={config.model ?? 'default of the program'} />],
    ['directory', <Quoted key="directory" text={config.working_dir} mono />],
    ['terminal', <code key="terminal">tmux -L svc attach -t ={mux_session}</code>],
    [
      'manifest',
      managed_by === null ? (
        'none'
      ) : (
        <PageLink key="manifest" path={pagePath('state', 'agents', agent.name)}>
          <Quoted text={`${managed_by.file}:${managed_by.line}`} mono />
        </PageLink>
      ),
    ],
  ]
  return (
    <div className={styles['tab']}>
      {last_error !== null && (
        <p>
          <StateWord state="failed" word="last error" />: <Quoted text={last_error} />
        </p>
      )}
      {warnings.map((warning) => (
        <p key={warning}>
          <StateWord state="warning" />: <Quoted text={warning} />
        </p>
      ))}
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name} className={styles['fact']}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
