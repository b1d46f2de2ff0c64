import { useState } from 'react'
import type { Run, RunStep } from '../../../schemas/run.ts'
import { ActionLimit } from '../../frame/action-limit.tsx'
import { CurlMenu } from '../../frame/curl-menu.tsx'
import { useMayAct } from '../../frame/decisions.ts'
import { pagePath, PageLink, useGo } from '../../frame/page-link.tsx'
import { PlanDialog } from '../../frame/plans/plan-dialog.tsx'
import { useLive } from '../../live/use-live.ts'
import { shellWord } from '../../parts/commands/curl.ts'
import { useKeys } from '../../parts/keys/use-keys.ts'
import { useFirstRows } from '../../parts/lists/first-rows.tsx'
import { Shape, StateWord } from '../../parts/states/shape.tsx'
import { Quoted, Said } from '../../parts/text/quoted.tsx'
import { Moment } from '../../parts/time/age.tsx'
import { KEYS } from './keys.ts'
import styles from './runs.module.css'
import { resultText, runState, STEP_STATES, stepsText, tookMs, tookText } from './rows.ts'

interface RunViewProps {
  run: Run
  /** False just after the run has replaced another one on screen. */
  isAwake: boolean
}

/** One run: its steps, its errors, and the way back to it. */
export function RunView({ run, isAwake }: RunViewProps) {
  const { id, source, status, revision, actor, started_at, error, diagnostics, summary } = run
  const took = tookText(tookMs(run))
  return (
    <>
      <div className="pad">
        <div className="title">
          <h2 className={styles['heading']}>Run {id.slice(0, 8)}</h2>
          <span className="tag">
            <Quoted text={source} />
          </span>
          {revision !== null && <code>{revision.slice(0, 7)}</code>}
        </div>
        <p className={styles['facts']}>
          <StateWord state={runState(run)} word={status} />
          <span>{stepsText(run)}</span>
          <span className="soft">
            started <Moment at={started_at} /> by <Quoted text={actor} />
          </span>
          {took !== '' && <span className="soft num">took {took}</span>}
        </p>
        {error !== null && <Said by={source} text={error} />}
        {diagnostics.map(({ message, file, line }, index) => (
          <p key={index}>
            <Shape state="warning" /> <Quoted text={`${file}:${line}`} mono /> <Quoted text={message} />
          </p>
        ))}
        <Steps steps={run.steps} />
        <p className="section soft num">{summary.unchanged} resources unchanged</p>
      </div>
      <RunActions run={run} isAwake={isAwake} />
    </>
  )
}

function Steps({ steps }: { steps: readonly RunStep[] }) {
  const [shown, more] = useFirstRows(steps, undefined)
  if (steps.length === 0) return null
  return (
    <>
      <table className="table section">
        <caption className="hide">Steps of the run</caption>
        <thead>
          <tr>
            <th scope="col">at</th>
            <th scope="col">result</th>
            <th scope="col">resource</th>
            <th scope="col" className="end">
              took
            </th>
          </tr>
        </thead>
        <tbody className="num">
          {shown.map((step, index) => (
            <Step key={`${step.kind}/${step.name}/${index}`} step={step} />
          ))}
        </tbody>
      </table>
      {more}
    </>
  )
}

function Step({ step }: { step: RunStep }) {
  const { kind, name, status, started_at, error } = step
  return (
    <tr>
      <td className="soft">{started_at !== null && <Moment at={started_at} />}</td>
      <td>
        <StateWord state={STEP_STATES[status]} word={resultText(step)} />
      </td>
      <td>
        <PageLink path={pagePath('state', kind, name)}>
          <Quoted text={`${kind}/${name}`} />
        </PageLink>
        {error !== null && (
          <p className="c-fail">
            <Quoted text={error} />
          </p>
        )}
      </td>
      <td className="end">{tookText(tookMs(step))}</td>
    </tr>
  )
}

function RunActions({ run: { id, revision }, isAwake }: RunViewProps) {
  const { controller } = useLive().clients
  const [isOpen, setOpen] = useState(false)
  const go = useGo()
  const canRollBack = useMayAct('source') && isAwake && revision !== null
  useKeys([{ ...KEYS.rollBack, shown: `svc rollback ${shellWord(id)}`, run: () => canRollBack && setOpen(true) }])
  return (
    <div className="actions" role="group" aria-label="Actions on the run">
      <button type="button" className="btn" disabled={!canRollBack} onClick={() => setOpen(true)}>
        {revision === null ? 'Roll back' : `Roll back to ${revision.slice(0, 7)}`}…{' '}
        <kbd aria-hidden="true">{KEYS.rollBack.keys}</kbd>
      </button>
      <ActionLimit guard="source" />
      <CurlMenu
        requests={[
          { label: 'Show', method: 'GET', path: `/controller/runs/${id}` },
          { label: 'Roll back', method: 'POST', path: '/controller/rollback', body: { run_id: id } },
          { label: 'Plan the rollback', method: 'POST', path: '/controller/rollback/plan', body: { run_id: id } },
        ]}
      />
      {isOpen && (
        <PlanDialog
          title={`Roll back to run ${id.slice(0, 8)} and hold it`}
          action="Roll back"
          id={`rollback/${id}`}
          read={(signal) => controller.planRollback({ body: { run_id: id }, signal })}
          apply={async (plan_hash) => {
            const { run_id } = await controller.rollback({ body: { run_id: id, plan_hash } })
            go(pagePath('runs', run_id))
          }}
          command={() => `svc rollback ${shellWord(id)}`}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}
