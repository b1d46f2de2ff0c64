// The part of the package that is used: as a whole it would keep the daemon 6 MiB larger.
declare module 'systeminformation/lib/memory.js' {
  import type { Systeminformation } from 'systeminformation'
  const memory: { mem(): Promise<Systeminformation.MemData> }
  export default memory
}
