import type { ResourceDetail } from '../../../schemas/resource.ts'
import { pagePath, PageLink } from '../../frame/page-link.tsx'
import { Shape } from '../../parts/states/shape.tsx'
import { Quoted } from '../../parts/text/quoted.tsx'
import { Moment } from '../../parts/time/age.tsx'
import { historyRows } from './history-rows.ts'
import styles from './state.module.css'

/** What runs and people changed, newest first. */
export function History({ detail }: { detail: ResourceDetail }) {
  const rows = historyRows(detail)
  if (rows.length === 0) return null
  return (
    <section className="section">
      <h2>History</h2>
      <ul className={styles['history']}>
        {rows.map(({ id, at, state, actor, text, subject, run }) => (
          <li key={id}>
            <span className="soft">{at !== '' && <Moment at={at} />}</span>
            <Shape state={state} />
            <span>
              {actor !== null && <Quoted text={actor} />} {text} <Quoted text={subject} mono />
              {run === null && ' on the live resource'}
            </span>
            {run === null ? (
              <PageLink path="/drift">drift</PageLink>
            ) : (
              <PageLink path={pagePath('runs', run)}>
                run <code>{run.slice(0, 8)}</code>
              </PageLink>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
