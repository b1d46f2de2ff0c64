// A change of a service in the words of the controller.
import type { Movement } from '../controller/reconciler.ts'
import type { ToldChange } from '../services/orchestrator/face.ts'
import type { ToldRoom } from '../services/communicate/face.ts'
import type { ToldDocument } from '../services/docstore/face.ts'
import type { ToldRepository } from '../services/code-index/face.ts'

type Told = ToldChange | ToldRoom | ToldDocument | ToldRepository

export function movementOf({ id, name, idle, cursor, by }: Told): Movement {
  return { liveId: id, name, moved: idle ? 'idle' : 'state', cursor, by }
}
