// How much one request, frame or slow reader may take.

const MIB = 1024 * 1024

/** Bytes of a request body, unless a route says otherwise. */
export const BODY_LIMIT = MIB
/** Bytes of one WebSocket frame. */
export const FRAME_LIMIT = 16 * MIB
/** Bytes that may wait for a slow reader of a stream before it is dropped. */
export const READER_BACKLOG_LIMIT = 8 * MIB
/** Milliseconds in which the headers, and the whole of a request, must have come. */
export const RECEIVE_MS = 30_000
/** Characters of a path parameter; a longer one is an unknown address. */
export const PARAMETER_LIMIT = 4096
