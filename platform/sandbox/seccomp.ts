// System calls that no program in a sandbox needs, and by which it could reach the host.

interface Calls {
  /** AUDIT_ARCH of the kernel. */
  audit: number
  socket: number
  ioctl: number
  /** add_key, request_key, keyctl, io_uring (3), bpf, perf_event_open, userfaultfd, syslog, kexec (2). */
  denied: number[]
}

const CALLS: Record<string, Calls> = {
  x64: {
    audit: 0xc000003e,
    socket: 41,
    ioctl: 16,
    denied: [248, 249, 250, 425, 426, 427, 321, 298, 323, 103, 246, 320],
  },
  arm64: {
    audit: 0xc00000b7,
    socket: 198,
    ioctl: 29,
    denied: [217, 218, 219, 425, 426, 427, 280, 241, 282, 116, 104, 294],
  },
}

const LOAD = 0x20
const IF_EQUAL = 0x15
const IF_AT_LEAST = 0x35
const RETURN = 0x06

const ALLOW = 0x7fff_0000
const EPERM = 0x0005_0001
const ENOSYS = 0x0005_0026

/** Offsets in `struct seccomp_data`; of arguments, the lower half in little endian. */
const NUMBER = 0
const ARCHITECTURE = 4
const FIRST_ARGUMENT = 16
const SECOND_ARGUMENT = 24

/** Numbers from here are calls of x32. */
const X32 = 0x4000_0000
const AF_VSOCK = 40
const TIOCSTI = 0x5412
const TIOCLINUX = 0x541c

type Instruction = [code: number, value: number, ifTrue?: number, ifFalse?: number]

/** BPF program for `bwrap --seccomp`; null for an architecture without a filter. `arch`: as `process.arch`. */
export function seccompFilter(arch: string): Buffer | null {
  const calls = CALLS[arch]
  if (calls === undefined) return null
  const program: Instruction[] = [
    [LOAD, ARCHITECTURE],
    [IF_EQUAL, calls.audit, 1, 0],
    [RETURN, ENOSYS],
    [LOAD, NUMBER],
    ...(arch === 'x64'
      ? ([
          [IF_AT_LEAST, X32, 0, 1],
          [RETURN, ENOSYS],
        ] satisfies Instruction[])
      : []),
    ...calls.denied.flatMap((number): Instruction[] => [
      [IF_EQUAL, number, 0, 1],
      [RETURN, EPERM],
    ]),
    ...unlessArgument(calls.socket, FIRST_ARGUMENT, [AF_VSOCK]),
    ...unlessArgument(calls.ioctl, SECOND_ARGUMENT, [TIOCSTI, TIOCLINUX]),
    [RETURN, ALLOW],
  ]
  const filter = Buffer.alloc(program.length * 8)
  for (const [index, [code, value, ifTrue = 0, ifFalse = 0]] of program.entries()) {
    filter.writeUInt16LE(code, index * 8)
    filter.writeUInt8(ifTrue, index * 8 + 2)
    filter.writeUInt8(ifFalse, index * 8 + 3)
    filter.writeUInt32LE(value, index * 8 + 4)
  }
  return filter
}

/** Denies the call with one of `values` as the argument, and allows it with another. */
function unlessArgument(call: number, argument: number, values: number[]): Instruction[] {
  const denials = values.flatMap((value): Instruction[] => [
    [IF_EQUAL, value, 0, 1],
    [RETURN, EPERM],
  ])
  return [[IF_EQUAL, call, 0, denials.length + 2], [LOAD, argument], ...denials, [RETURN, ALLOW]]
}
