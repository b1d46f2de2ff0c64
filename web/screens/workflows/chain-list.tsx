import type { CSSProperties } from 'react'
import type { WorkflowRecord } from '../../../schemas/workflow/record.ts'
import { pagePath, PageLink } from '../../frame/page-link.tsx'
import { Quoted } from '../../parts/text/quoted.tsx'
import { Age } from '../../parts/time/age.tsx'
import type { ChainLink } from './chain.ts'
import styles from './workflows.module.css'

/** Deeper links are indented no further. */
const MOST_DEPTH = 8

const depthStyle = (depth: number) => ({ '--depth': Math.min(depth, MOST_DEPTH) }) as CSSProperties

interface ChainProps {
  links: readonly ChainLink<WorkflowRecord>[]
  /** Id of the workflow on screen. */
  current: string
}

/** Workflows that start each other, in order. Nothing for a workflow without links. */
export function Chain({ links, current }: ChainProps) {
  if (links.length === 0) return null
  return (
    <section className="section">
      <h2>Chain</h2>
      <ul>
        {links.map(({ workflow: { id, name, enabled, last_fired_at }, depth, condition }) => (
          <li key={id} className={styles['link']} style={depthStyle(depth)}>
            {condition !== '' && <span className="soft">{condition}: </span>}
            {id === current ? (
              <b aria-current="true">
                <Quoted text={name} />
              </b>
            ) : (
              <PageLink path={pagePath('workflows', id)}>
                <Quoted text={name} />
              </PageLink>
            )}{' '}
            <span className="soft">
              {enabled ? '' : 'disabled, '}
              {last_fired_at === null ? 'never fired' : <>fired {<Age at={last_fired_at} ago />}</>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
