// Runs LanceDB in a separate process, so that a crash of its native code ends only this process.
import { answer, type Methods } from '../../workers/rpc.ts'
import type { NewRows, Of, ReadRows } from './messages.ts'
import { ChunkTables } from './tables.ts'

function lance(folder: string, name: string) {
  let made: ChunkTables | null = null
  const tables = () => (made ??= new ChunkTables(folder, name))
  const readings = new Map<number, AsyncGenerator<ReadRows>>()
  let begun = 0
  return {
    /** Throws if LanceDB cannot be loaded. */
    ready: async (_input: null): Promise<void> => void tables(),
    add: (rows: NewRows) => tables().add(rows),
    begin: (what: Parameters<ChunkTables['begin']>[0]) => tables().begin(what),
    read: async (what: Parameters<ChunkTables['read']>[0]): Promise<number> => {
      readings.set(++begun, tables().read(what))
      return begun
    },
    /** Next batch of a read; null at the end. */
    more: async (reading: number): Promise<ReadRows | null> => {
      const { done, value } = await readings.get(reading)!.next()
      if (done) readings.delete(reading)
      return done ? null : value
    },
    rows: (what: Of & { numbers: number[] }) => tables().rows(what),
    tidy: (what: Parameters<ChunkTables['tidy']>[0]) => tables().tidy(what),
  } satisfies Methods
}
export type Lance = ReturnType<typeof lance>

const [folder, name] = process.argv.slice(2)
process.on('disconnect', () => process.exit())
answer(
  { postMessage: (message) => process.send!(message), on: (event, heard) => process.on(event, heard) },
  lance(folder!, name!),
)
