import type { ReactNode } from 'react'
import type { Diagnostic } from '../../../schemas/diagnostic.ts'
import type { Plan } from '../../../schemas/plan.ts'
import type { Source } from '../../../schemas/source.ts'
import { pagePath, PageLink } from '../../frame/page-link.tsx'
import { counted, planSummary } from '../../frame/plans/plan-steps.ts'
import { PlanView } from '../../frame/plans/plan-view.tsx'
import { Shape } from '../../parts/states/shape.tsx'
import { Quoted } from '../../parts/text/quoted.tsx'
import { Age } from '../../parts/time/age.tsx'
import type { DroppedFolder } from './dropped-folder.ts'
import { keptDrift } from './rows.ts'
import styles from './plan.module.css'

interface PlanBodyProps {
  plan: Plan
  source: Source | undefined
  /** The folder that was planned instead of the source. */
  folder: DroppedFolder | null
  /** Why the plan could not be made again; null if it was. */
  failure: ReactNode
}

/** Revision, faults, steps and drift of a plan. */
export function PlanBody({ plan, source, folder, failure }: PlanBodyProps) {
  const { hash, revision, created_at, diagnostics } = plan
  return (
    <div className={styles['body']} role="region" aria-label={`Steps of plan ${hash.slice(0, 8)}`}>
      {failure}
      <p>
        <Shape state={plan.steps.length === 0 ? 'ready' : 'update'} word={null} />{' '}
        {source?.applied_revision && (
          <>
            <code>{source.applied_revision.slice(0, 7)}</code> applied
          </>
        )}
        {folder !== null ? (
          <>
            {' '}
            → folder <Quoted text={folder.name} mono />, {counted(folder.files.length, 'file')}
            {folder.skipped > 0 && `, ${folder.skipped} left out as binary, too large or too many`}; nothing is changed
          </>
        ) : (
          revision !== null &&
          revision !== source?.applied_revision && (
            <>
              {' '}
              → <code>{revision.slice(0, 7)}</code>
            </>
          )
        )}
        <br />
        <span className="soft num">
          Plan <code>{hash.slice(0, 8)}</code>, made <Age at={created_at} ago />: {planSummary(plan)}
        </span>
      </p>
      {diagnostics.map((diagnostic, index) => (
        <Fault key={index} diagnostic={diagnostic} />
      ))}
      <PlanView plan={plan} />
      <PlanDrift plan={plan} />
    </div>
  )
}

function Fault({ diagnostic }: { diagnostic: Diagnostic }) {
  const { severity, kind, name, file, line, column, message, hint, code } = diagnostic
  return (
    <div className={styles['fault']}>
      <Shape state={severity === 'error' ? 'failed' : 'warning'} word={severity} />
      <div>
        {kind !== null && name !== null && (
          <b>
            <Quoted text={`${kind}/${name}`} />{' '}
          </b>
        )}
        <Quoted text={message} />
        <br />
        <span className="soft">
          <Quoted text={hint} /> <span className="tag">{code}</span>
        </span>
      </div>
      <span className="soft">
        <Quoted text={`${file}:${line}:${column}`} mono />
      </span>
    </div>
  )
}

function PlanDrift({ plan }: { plan: Plan }) {
  const drift = keptDrift(plan)
  if (drift.length === 0) return null
  return (
    <section className="section">
      <h2>Drift that this plan leaves</h2>
      <ul>
        {drift.map(({ kind, name, path }) => (
          <li key={`${kind}/${name}/${path}`}>
            <Shape state="drifted" word={null} />{' '}
            <PageLink path={pagePath('state', kind, name)}>
              <Quoted text={`${kind}/${name}`} />
            </PageLink>{' '}
            <Quoted text={path} mono />
          </li>
        ))}
      </ul>
    </section>
  )
}
