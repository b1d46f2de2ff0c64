import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Plan } from '../../../schemas/plan.ts'
import type { Source } from '../../../schemas/source.ts'
import { useAwake } from '../../frame/decisions.ts'
import { ReadFailure } from '../../frame/topic-states.tsx'
import { pagePath, useGo } from '../../frame/page-link.tsx'
import { ScreenHead } from '../../frame/screen-head.tsx'
import { useEmptyText } from '../../frame/screen-context.ts'
import { useSources } from '../../frame/use-sources.ts'
import { useLive, useLostAt } from '../../live/use-live.ts'
import { useKeys } from '../../parts/keys/use-keys.ts'
import { EmptyNotice, LoadingRows } from '../../parts/states/notices.tsx'
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
      {error && <ReadFailure error={error} onRetry={() => void refetch()} />}
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
  const canPlan = useLostAt() === null && !isFetching
  const again = () => void (canPlan && refetch())
  useKeys([{ ...KEYS.again, run: again }, ...(folder === null ? [] : [{ ...KEYS.back, run: onFolderEnd }])])
  const failure = error && <ReadFailure error={error} onRetry={again} />
  if (!data) return failure ?? <LoadingRows />
  const plan: Plan = data
  return (
    <>
      <PlanBody plan={plan} source={source} folder={folder} failure={failure} />
      <Concerns plan={plan} source={source} />
      <PlanActions
        plan={plan}
        folder={folder}
        isAwake={isAwake && error === null}
        canPlan={canPlan}
        onPlanAgain={again}
        onFolderEnd={onFolderEnd}
      />
    </>
  )
}
