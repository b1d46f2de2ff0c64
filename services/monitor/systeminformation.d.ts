// Declares only the part that is used: loading the whole package takes 6 MiB more memory.
declare module 'systeminformation/lib/memory.js' {
  import type { Systeminformation } from 'systeminformation'
  const memory: { mem(): Promise<Systeminformation.MemData> }
  export default memory
}
