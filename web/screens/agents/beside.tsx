import { pagePath, PageLink } from '../../frame/page-link.tsx'
import { agentsTopic, inboxTopic } from '../../live/topics.ts'
import { useRecords, useTopic } from '../../live/use-live.ts'
import { Shape } from '../../parts/states/shape.tsx'
import { CutText } from '../../parts/text/cut-text.tsx'
import { excerpt } from '../../parts/text/excerpt.ts'
import { Quoted } from '../../parts/text/quoted.tsx'
import styles from './agents.module.css'
import { agentRows, SECTIONS } from './rows.ts'

/** All agents beside the open one, in a wide window. */
export function Beside({ current, tab }: { current: string; tab: string }) {
  const agents = useRecords(useTopic(agentsTopic).cache)
  const inbox = useRecords(useTopic(inboxTopic).cache)
  const rows = agentRows(agents, inbox)
  return (
    <section className={`list ${styles['beside']}`} aria-label="Agents">
      {SECTIONS.map((section) => {
        const some = rows.filter((row) => row.section === section)
        return (
          some.length > 0 && (
            <section key={section}>
              <h2 className="group">{section}</h2>
              <ul>
                {some.map(({ agent, state, doing }) => (
                  <li key={agent.id}>
                    <PageLink
                      path={pagePath('agents', agent.id, tab)}
                      keepSearch
                      isCurrent={agent.id === current}
                      className="entry"
                    >
                      <Shape state={state} />
                      <b className="cut">
                        <CutText text={agent.name} />
                      </b>
                      <span className="below">
                        <Quoted text={excerpt(doing)} />
                      </span>
                    </PageLink>
                  </li>
                ))}
              </ul>
            </section>
          )
        )
      })}
    </section>
  )
}
