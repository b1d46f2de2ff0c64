import { useState } from 'react'
import type { QueueStats } from '../../../schemas/queue.ts'
import { ActionLimit } from '../../frame/action-limit.tsx'
import { CurlMenu, type NamedRequest } from '../../frame/curl-menu.tsx'
import { useMayAct } from '../../frame/decisions.ts'
import { pagePath } from '../../frame/page-link.tsx'
import { shellWord } from '../../parts/commands/curl.ts'
import { useKeys } from '../../parts/keys/use-keys.ts'
import { KEYS } from './keys.ts'
import { PurgeDialog } from './purge-dialog.tsx'
import { RedriveDialog } from './redrive-dialog.tsx'

const requestsOf = (name: string): NamedRequest[] => {
  const path = `/orchestrator${pagePath('queues', name)}`
  return [
    { label: 'Show', method: 'GET', path: `${path}/stats` },
    { label: 'Tasks', method: 'GET', path: `${path}/tasks` },
    { label: 'Push', method: 'POST', path: `${path}/push`, body: { title: 'A task' } },
    { label: 'Redrive', method: 'POST', path: `${path}/redrive` },
    { label: 'Purge', method: 'DELETE', path },
  ]
}

interface QueueActionsProps {
  stats: QueueStats
  isAwake: boolean
  onChange(): void
}

/** Redrives the dead tasks of a queue, and purges it. */
export function QueueActions({ stats, isAwake, onChange }: QueueActionsProps) {
  const { queue_name, dead } = stats
  const [open, setOpen] = useState<'redrive' | 'purge' | null>(null)
  const mayAct = useMayAct('operator') && isAwake
  const canRedrive = mayAct && dead > 0
  useKeys([
    {
      ...KEYS.redrive,
      shown: `agent orchestrator queue-redrive ${shellWord(queue_name)}`,
      run: () => canRedrive && setOpen('redrive'),
    },
  ])
  const close = () => setOpen(null)
  return (
    <div className="actions" role="group" aria-label={`Actions on the queue ${queue_name}`}>
      <button type="button" className="btn" disabled={!canRedrive} onClick={() => setOpen('redrive')}>
        Redrive all {dead}… <kbd aria-hidden="true">{KEYS.redrive.keys}</kbd>
      </button>
      <button type="button" className="btn stop" disabled={!mayAct} onClick={() => setOpen('purge')}>
        Purge…
      </button>
      <ActionLimit guard="operator" />
      <CurlMenu requests={requestsOf(queue_name)} />
      {open === 'redrive' && <RedriveDialog stats={stats} onChange={onChange} onClose={close} />}
      {open === 'purge' && <PurgeDialog name={queue_name} onChange={onChange} onClose={close} />}
    </div>
  )
}
