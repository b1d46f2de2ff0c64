import { useState } from 'react'
import type { Drift, ResourceDetail } from '../../../schemas/resource.ts'
import { liveManifest } from '../../client/live-manifest.ts'
import { ActionLimit } from '../../frame/action-limit.tsx'
import { AcceptDialog } from '../../frame/plans/accept-dialog.tsx'
import { ActionNote } from '../../frame/action-state.tsx'
import { CurlMenu, type NamedRequest } from '../../frame/curl-menu.tsx'
import { useMayAct } from '../../frame/decisions.ts'
import { pagePath } from '../../frame/page-link.tsx'
import { RevertDialog } from '../../frame/plans/revert-dialog.tsx'
import { useAction } from '../../frame/use-action.ts'
import { useLive } from '../../live/use-live.ts'
import { shellWord } from '../../parts/commands/curl.ts'
import { useKeys } from '../../parts/keys/use-keys.ts'
import { KEYS } from './keys.ts'

const requestsOf = ({ kind, name, suspended }: ResourceDetail, drift: readonly Drift[]): NamedRequest[] => {
  const of = (...parts: string[]) => `/controller${pagePath(...parts)}`
  return [
    { label: 'Show', method: 'GET', path: of('resources', kind, name) },
    ...drift.map(({ id, path }) => ({
      label: `Revert ${path}`,
      method: 'POST',
      path: of('drift', id, 'revert'),
      body: {},
    })),
    ...(drift.length > 0 ? [{ label: 'Accept', method: 'POST', path: of('drift', kind, name, 'accept') }] : []),
    {
      label: suspended === null ? 'Suspend' : 'Resume',
      method: 'POST',
      path: of('resources', kind, name, suspended === null ? 'suspend' : 'resume'),
    },
  ]
}

type Open = 'revert' | 'accept' | null

/** Reverts, accepts and suspends. */
export function ResourceActions({ detail, isAwake }: { detail: ResourceDetail; isAwake: boolean }) {
  const { clients } = useLive()
  const { kind, name, id, suspended } = detail
  const params = { kind, name }
  const [open, setOpen] = useState<Open>(null)
  const { state, run } = useAction(`${id}/${suspended === null ? 'suspend' : 'resume'}`)
  const mayApply = useMayAct('apply') && isAwake
  const maySuspend = useMayAct('source') && isAwake && state.kind !== 'sending'
  const drift = detail.drift.filter(({ resolution }) => resolution === null)
  const canRevert = mayApply && drift.length > 0
  const toggle = () =>
    void run(() =>
      suspended === null
        ? clients.controller.suspendResource({ params })
        : clients.controller.resumeResource({ params }),
    )
  const word = shellWord(id)
  useKeys([
    { ...KEYS.revert, shown: `svc drift revert ${word}`, run: () => canRevert && setOpen('revert') },
    { ...KEYS.accept, shown: `svc drift accept ${word}`, run: () => drift.length > 0 && setOpen('accept') },
    {
      ...KEYS.suspend,
      shown: `svc ${suspended === null ? 'suspend' : 'resume'} ${word}`,
      run: () => maySuspend && toggle(),
    },
  ])
  return (
    <div className="actions" role="group" aria-label={`Actions on ${id}`}>
      <button type="button" className="btn go" disabled={!canRevert} onClick={() => setOpen('revert')}>
        Revert… <kbd aria-hidden="true">{KEYS.revert.keys}</kbd>
      </button>
      <button type="button" className="btn" disabled={drift.length === 0} onClick={() => setOpen('accept')}>
        Accept into manifest… <kbd aria-hidden="true">{KEYS.accept.keys}</kbd>
      </button>
      <button type="button" className="btn" disabled={!maySuspend} onClick={toggle}>
        {suspended === null ? 'Suspend' : 'Resume'} <kbd aria-hidden="true">{KEYS.suspend.keys}</kbd>
      </button>
      <ActionNote state={state} />
      <ActionLimit guard="apply" />
      <CurlMenu requests={requestsOf(detail, drift)} yaml={() => liveManifest(clients, kind, name)} />
      {open === 'accept' && <AcceptDialog {...params} onClose={() => setOpen(null)} />}
      {open === 'revert' && drift.length > 0 && <RevertDialog records={drift} onClose={() => setOpen(null)} />}
    </div>
  )
}
