import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Plan } from '../../../schemas/plan.ts'
import type { Source } from '../../../schemas/source.ts'
import { useAwake } from '../../frame/decisions.ts'
import { failureFacts } from '../../frame/failures.ts'
import { pagePath, useGo } from '../../frame/page-link.tsx'
import { ScreenHead } from '../../frame/screen-head.tsx'
import { useEmptyText } from '../../frame/screen-context.ts'
import { useSources } from '../../frame/use-sources.ts'
import { useLive } from '../../live/use-live.ts'
import { useKeys } from '../../parts/keys/use-keys.ts'
import { EmptyNotice, FailureNotice, LoadingRows } from '../../parts/states/notices.tsx'
import { PlanActions } from './actions.tsx'
import { Concerns } from './concerns.tsx'
import type { DroppedFolder } from './dropped-folder.ts'
import { FolderDrop } from './folder-drop.tsx'
import { KEYS } from './keys.ts'
import { PlanBody } from './plan-body.tsx'
import styles from './plan.module.css'

/** The plan of a source or of a dropped folder: what a sync would do now. */
export default function PlanScreen() {
  const { source } = useParams({ strict: false }) as { source?: string }
  const { data: sources, error, refetch } = useSources()
  const empty = useEmptyText()
  const [folder, setFolder] = useState<DroppedFolder | null>(null)
  const name = source ?? sources?.[0]?.name
  const chosen = sources?.find((each) => each.name === name)
  return (
    <div className={styles['screen']}>
      <ScreenHead title="Plan" windowTitle={chosen === undefined ? 'Plan' : `Plan of ${chosen.name}`}>
        {sources && name !== undefined && <SourceChoice sources={sources} selected={name} />}
        {name !== undefined && <FolderDrop onFolder={setFolder} />}
      </ScreenHead>
      {error && <FailureNotice facts={failureFacts(error)} onRetry={() => void refetch()} />}
      {!sources && !error && <LoadingRows />}
      {sources?.length === 0 && <EmptyNotice {...empty} />}
      {name !== undefined && (
        <SourcePlan key={name} name={name} source={chosen} folder={folder} onFolderEnd={() => setFolder(null)} />
      )}
    </div>
  )
}

function SourceChoice({ sources, selected }: { sources: readonly Source[]; selected: string }) {
  const go = useGo()
  const names = sources.map(({ name }) => name)
  return (
    <select
      className="find"
      aria-label="Source"
      value={selected}
      onChange={(event) => go(pagePath('plan', event.target.value))}
    >
      {(names.includes(selected) ? names : [selected, ...names]).map((name) => (
        <option key={name} value={name}>
          source {name}
        </option>
      ))}
    </select>
  )
}

interface SourcePlanProps {
  name: string
  source: Source | undefined
  folder: DroppedFolder | null
  onFolderEnd(): void
}

function SourcePlan({ name, source, folder, onFolderEnd }: SourcePlanProps) {
  const { controller } = useLive().clients
  const manifests = folder && { manifests: [...folder.files] }
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['plan', name, folder],
    queryFn: ({ signal }) => controller.plan({ body: { source: name, ...manifests }, signal }),
    staleTime: 0,
    gcTime: 0,
  })
  // A new plan sleeps at first, also if it replaces another one in place.
  const isAwake = useAwake(isFetching ? null : (data?.hash ?? null))
  const again = () => void refetch()
  useKeys([{ ...KEYS.again, run: again }, ...(folder === null ? [] : [{ ...KEYS.back, run: onFolderEnd }])])
  if (error) return <FailureNotice facts={failureFacts(error)} onRetry={again} />
  if (!data) return <LoadingRows />
  const plan: Plan = data
  return (
    <>
      <PlanBody plan={plan} source={source} folder={folder} />
      <Concerns plan={plan} source={source} />
      <PlanActions plan={plan} folder={folder} isAwake={isAwake} onPlanAgain={again} onFolderEnd={onFolderEnd} />
    </>
  )
}
