import type { AgentRecord } from '../../../../schemas/agent/record.ts'
import { pagePath, PageLink } from '../../../frame/page-link.tsx'
import { Shape } from '../../../parts/states/shape.tsx'
import { Quoted } from '../../../parts/text/quoted.tsx'
import shared from '../agents.module.css'
import styles from './policy.module.css'
import { PolicyTest, RecentCalls } from './policy-test.tsx'
import { policyParts, type PolicyPart } from './policy-parts.ts'

/** The tool policy of the agent: its entries in the order in which they decide. */
export default function Policy({ agent }: { agent: AgentRecord }) {
  const { mode } = agent.config.tool_policy
  return (
    <div className={styles['halves']}>
      <div className={shared['tab']}>
        <dl className="facts">
          <dt>mode</dt>
          <dd>
            <code>{mode}</code>
          </dd>
          {agent.managed_by !== null && (
            <>
              <dt>manifest</dt>
              <dd>
                <PageLink path={pagePath('state', 'agents', agent.name)}>
                  <Quoted text={`${agent.managed_by.file}:${agent.managed_by.line}`} mono />
                </PageLink>
              </dd>
            </>
          )}
        </dl>
        {policyParts(agent.config.tool_policy).map((part) => (
          <Part key={part.title} part={part} />
        ))}
        <p className={`soft fine ${styles['aside']}`}>
          A workflow with a policy of its own replaces this one during its tasks. All calls stay in{' '}
          <Quoted text={agent.config.working_dir} mono /> and the other directories of the agent.
        </p>
      </div>
      <div className={shared['tab']}>
        <PolicyTest agent={agent} />
        <RecentCalls agent={agent} />
      </div>
    </div>
  )
}

function Part({ part: { state, title, means, entries } }: { part: PolicyPart }) {
  return (
    <section className={styles['part']}>
      <h2>
        <Shape state={state} word={null} /> {title} <span className="soft fine">{means}</span>
        {entries.length > 0 && <span className="soft fine num">{entries.length}</span>}
      </h2>
      {entries.length > 0 && (
        <ul>
          {entries.map((entry) => (
            <li key={entry}>
              <Quoted text={entry} mono />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
