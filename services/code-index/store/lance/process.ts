// The process that runs LanceDB for the store: what goes wrong in its native code ends this process and no other.
import { answer, type Methods } from '../../workers/rpc.ts'
import type { NewRows, Of, ReadRows } from './messages.ts'
import { ChunkTables } from './tables.ts'

function lance(folder: string, name: string) {
  let made: ChunkTables | null = null
  const tables = () => (made ??= new ChunkTables(folder, name))
  const readings = new Map<number, AsyncGenerator<ReadRows>>()
  let begun = 0
  return {
    /** Throws where LanceDB cannot be loaded. */
    ready: async (_input: null): Promise<void> => void tables(),
    add: (rows: NewRows) => tables().add(rows),
    begin: (what: Parameters<ChunkTables['begin']>[0]) => tables().begin(what),
    read: async (what: Parameters<ChunkTables['read']>[0]): Promise<number> => {
      readings.set(++begun, tables().read(what))
      return begun
    },
    /** The next rows of a reading; null at its end. */
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
// Who asked is gone.
process.on('disconnect', () => process.exit())
answer(
  { postMessage: (message) => process.send!(message), on: (event, heard) => process.on(event, heard) },
  lance(folder!, name!),
)
