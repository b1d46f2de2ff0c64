import type { Resource } from '../../../schemas/resource.ts'
import type { TopicCache } from '../../live/topic-cache.ts'
import { useRecord } from '../../live/use-live.ts'
import { SidesMark } from '../../parts/states/mark.tsx'
import { Shape } from '../../parts/states/shape.tsx'
import { nodeText, stateOf, type ResourceNode } from './rows.ts'

interface NodeFactsProps {
  node: ResourceNode
  cache: TopicCache<Resource>
}

/** State of a resource or folder. A resource renders with its own record. */
export function NodeFacts({ node, cache }: NodeFactsProps) {
  const record = useRecord(cache, node.id)
  const current = record && node.resource !== null ? { ...node, resource: record, state: stateOf(record) } : node
  return (
    <>
      <span className="soft fine num">{nodeText(current)}</span>
      {current.resource === null ? <span /> : <SidesMark sides={current.resource.sides} />}
      <Shape state={current.state} />
    </>
  )
}
