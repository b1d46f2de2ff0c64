import type { Plan, PlanStep } from '../../../schemas/plan.ts'
import { Shape } from '../../parts/states/shape.tsx'
import { ChangedValue } from '../../parts/text/changed-value.tsx'
import { fieldChanges } from '../../parts/text/field-changes.ts'
import { Quoted } from '../../parts/text/quoted.tsx'
import { ACTION_STATES, actionText, counted, stepGroups } from './plan-steps.ts'
import styles from './plans.module.css'

/** Steps of a plan by kind with their changes, and what they interrupt. */
export function PlanView({ plan }: { plan: Pick<Plan, 'steps' | 'summary'> }) {
  if (plan.steps.length === 0) return <p>Nothing would change; {plan.summary.unchanged} resources are unchanged.</p>
  return stepGroups(plan.steps).map(({ kind, steps }) => (
    <section key={kind} className={styles['kind']}>
      <h3>
        <b>{kind}/</b> {counted(steps.length, 'step')}
      </h3>
      <ul>
        {steps.map((step) => (
          <li key={step.name}>
            <Step step={step} />
          </li>
        ))}
      </ul>
    </section>
  ))
}

/** Steps that only make something have their fields folded: nothing is lost by them. */
const isOpen = ({ action, changes }: PlanStep) => action !== 'create' && changes.length > 0

function Step({ step }: { step: PlanStep }) {
  const { name, action, reason, changes, file, line, interrupts, widens = [] } = step
  return (
    <details className={styles['step']} open={isOpen(step)}>
      <summary>
        <Shape state={ACTION_STATES[action]} word={action} />
        <span>
          <Quoted text={name} /> <span className="soft">{actionText(step)}</span>
        </span>
        <span className={styles['marks']}>
          {widens.length > 0 && (
            <span className="c-wait">
              <Shape state="widens" word={null} /> widens
            </span>
          )}
          {interrupts !== null && (
            <span className="c-wait">
              <Shape state="busy" word={null} /> interrupts
            </span>
          )}
          {file !== null && <Quoted text={line === null ? file : `${file}:${line}`} mono />}
        </span>
      </summary>
      {changes.flatMap(fieldChanges).map(({ path, before, after }) => (
        <div key={path} className={styles['field']}>
          <span className="soft">
            <Quoted text={path} mono />
          </span>
          <ChangedValue before={before} after={after} />
        </div>
      ))}
      <p className={styles['note']}>
        <Quoted text={reason} />
        {interrupts !== null && (
          <>
            ; interrupts <Quoted text={interrupts} />
          </>
        )}
        {widens.length > 0 && (
          <>
            ; grants more rights: <Quoted text={widens.join(', ')} mono />
          </>
        )}
      </p>
    </details>
  )
}
