// Stores as the engine makes them.
import { dirname, join } from 'node:path'
import { indexProgram } from '../../../daemon/package-root.ts'
import { LanceStore } from '../../../services/code-index/store/lance/store.ts'

/** The built program that runs LanceDB. */
export const lanceProgram = (): string => join(dirname(indexProgram()), 'svc-index-lancedb.js')

/** `folder` is that of the database. */
export const lanceStore = (folder: string): LanceStore =>
  new LanceStore({ folder, table: 'code_chunks', program: lanceProgram() })
