import { useState } from 'react'
import type { WorkflowRecord } from '../../../schemas/workflow/record.ts'
import { liveManifest } from '../../client/live-manifest.ts'
import { ActionLimit } from '../../frame/action-limit.tsx'
import { CurlMenu, type NamedRequest } from '../../frame/curl-menu.tsx'
import { useMayAct } from '../../frame/decisions.ts'
import { pagePath } from '../../frame/page-link.tsx'
import { useLive } from '../../live/use-live.ts'
import { shellWord } from '../../parts/commands/curl.ts'
import { useKeys } from '../../parts/keys/use-keys.ts'
import { EnableDialog } from './enable-dialog.tsx'
import { KEYS } from './keys.ts'
import type { WorkflowRow } from './rows.ts'
import { RunDialog } from './run-dialog.tsx'

const requestsOf = ({ id, enabled }: WorkflowRecord): NamedRequest[] => {
  const path = `/orchestrator${pagePath('workflows', id)}`
  return [
    { label: 'Show', method: 'GET', path },
    { label: 'History', method: 'GET', path: `${path}/history` },
    { label: 'Preview the prompt', method: 'POST', path: `${path}/preview`, body: {} },
    { label: 'Run now', method: 'POST', path: `${path}/trigger`, body: { title: 'By hand' } },
    { label: enabled ? 'Disable' : 'Enable', method: 'PATCH', path, body: { enabled: !enabled } },
  ]
}

type Open = 'run' | 'enable' | null

/** Runs, enables and disables a workflow. */
export function WorkflowActions({ row, isAwake }: { row: WorkflowRow; isAwake: boolean }) {
  const { clients } = useLive()
  const { workflow } = row
  const { name, enabled } = workflow
  const [open, setOpen] = useState<Open>(null)
  const [ran, setRan] = useState<string | null>(null)
  const canRun = useMayAct('operator') && isAwake && enabled
  const canChange = useMayAct('workflow') && isAwake
  useKeys([
    {
      ...KEYS.run,
      shown: `agent orchestrator trigger-workflow ${shellWord(name)}`,
      run: () => canRun && setOpen('run'),
    },
  ])
  return (
    <div className="actions" role="group" aria-label="Actions on the workflow">
      <button type="button" className="btn" disabled={!canRun} onClick={() => setOpen('run')}>
        Run now… <kbd aria-hidden="true">{KEYS.run.keys}</kbd>
      </button>
      <button type="button" className="btn" disabled={!canChange} onClick={() => setOpen('enable')}>
        {enabled ? 'Disable…' : 'Enable…'}
      </button>
      <span className="soft" role="status">
        {ran !== null && `sent: dispatch ${ran.slice(0, 8)}`}
      </span>
      <ActionLimit guard="workflow" />
      <CurlMenu requests={requestsOf(workflow)} yaml={() => liveManifest(clients, 'workflows', name)} />
      {open === 'run' && <RunDialog row={row} onRun={setRan} onClose={() => setOpen(null)} />}
      {open === 'enable' && <EnableDialog workflow={workflow} onClose={() => setOpen(null)} />}
    </div>
  )
}
