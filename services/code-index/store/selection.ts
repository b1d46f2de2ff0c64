import { basename, dirname } from 'node:path'
import { FileStore } from './file-store.ts'
import { installCommand } from './lance/library.ts'
import { thisMachine, whyNotHere, type Machine } from './lance/processor.ts'
import { LanceStore } from './lance/store.ts'
import type { ChunkStore, StoreChoice } from './port.ts'

interface Wanted {
  choice: StoreChoice
  /** Folder of the file store; the LanceDB table next to it has the same name. */
  folder: string
  program: string
  machine?: Machine
}

export interface SelectedStore {
  store: ChunkStore
  /** Why `auto` did not select LanceDB; null otherwise. */
  instead: string | null
}

/** Throws if LanceDB is required and cannot run. */
export async function selectStore({
  choice,
  folder,
  program,
  machine = thisMachine(),
}: Wanted): Promise<SelectedStore> {
  if (choice === 'files') return { store: new FileStore(folder), instead: null }
  const database = dirname(folder)
  const unfit = whyNotHere(machine)
  const store = new LanceStore({ folder: database, table: basename(folder), program })
  const why = unfit ?? (await store.whyNot())
  if (why === null) return { store, instead: null }
  await store.close()
  const cannot = `LanceDB cannot run here: ${why}`
  if (choice === 'auto') return { store: new FileStore(folder), instead: `${cannot}; chunks are stored in files` }
  const install = unfit === null ? `install it with "${installCommand(database)}", or ` : ''
  throw new Error(`${cannot}: ${install}set SVC_INDEX_STORE to files or auto`)
}
