// The three parts of the package that are used: as a whole it would keep the daemon 6 MiB larger.
declare module 'systeminformation/lib/cpu.js' {
  import type { Systeminformation } from 'systeminformation'
  const cpu: { currentLoad(): Promise<Systeminformation.CurrentLoadData> }
  export default cpu
}

declare module 'systeminformation/lib/memory.js' {
  import type { Systeminformation } from 'systeminformation'
  const memory: { mem(): Promise<Systeminformation.MemData> }
  export default memory
}

declare module 'systeminformation/lib/filesystem.js' {
  import type { Systeminformation } from 'systeminformation'
  const filesystem: { fsSize(): Promise<Systeminformation.FsSizeData[]> }
  export default filesystem
}
