/* SPDX-License-Identifier: MIT */
/* graph.h - captures the work of streams once and launches it repeatedly as a whole. */
#ifndef ARR_GRAPH_H
#define ARR_GRAPH_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct arr_graph_s *arr_graph;

/** Starts to capture the work of a stream: calls check their arguments, make their results and return, but the work
 *  that they enqueue in this stream is recorded for the graph instead of run. During the capture, values cannot be read
 *  and the stream cannot be waited for. Arrays that the work uses, including its results and temporaries, live as long
 *  as the graph; host memory that it reads is copied. An array that the work makes has no values before the first
 *  launch of its graph: until then only captured work may use it, and any other use is ARR_E_ARGUMENT.
 *
 *  Another stream joins the capture when it waits (arr_stream_wait_event) for an event that was recorded in a captured
 *  stream: from then on its work goes into the same graph, after that point. Branches that do not wait for each other
 *  may run in parallel. Arrays order the captured streams as they order other streams: work comes after the work that
 *  wrote the arrays it reads, and after the work that used the arrays it writes.
 *
 *  Before the end, this stream must have waited for an event after the last work of every other captured stream. A
 *  stream that has not joined works as usual. Streams of other devices cannot join. Several threads may work in
 *  different captured streams at the same time. The handle of a stream that has joined may be released during the
 *  capture; releasing the handle of this stream cancels the capture.
 *  @param stream  the stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE
 *  @sync no   @threads any, one at a time in the stream */
ARR_API arr_status arr_graph_begin(arr_stream stream);

/** Ends the capture and makes a graph that can be launched from it. On failure the capture has ended too. The call
 *  returns ARR_E_ARGUMENT if this stream has not waited for a stream that joined. It also returns ARR_E_ARGUMENT for a
 *  stream that only joined; the capture then continues.
 *  @param stream  the stream of arr_graph_begin
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_graph_end(arr_stream stream, arr_graph *out);

/** Ends the capture and replaces the graph's work by the captured work. If the new work has the same form (the same
 *  calls on other memory), a GPU changes the graph instead of making a new one, which is much faster. A running launch
 *  continues. On failure the capture has ended and the graph is unchanged. The rules for streams that joined are those
 *  of arr_graph_end.
 *  @param graph  the graph to change
 *  @param stream  the stream of arr_graph_begin, on the graph's device
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_graph_update(arr_graph graph, arr_stream stream);

/** Enqueues all the work of a graph on the memory that it was captured with: inputs are read again and results are
 *  overwritten. The work runs after the previous launch of the graph and after other work that uses its arrays, in any
 *  stream.
 *  @param graph  the graph
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED, ARR_E_DEVICE, ARR_E_LOST
 *  @sync no */
ARR_API arr_status arr_graph_launch(arr_graph graph, arr_stream stream);

/** Uploads a graph to the device before its first launch.
 *  @param graph  the graph
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_graph_upload(arr_graph graph, arr_stream stream);

/** Returns CUDA's own handles of the graph, borrowed. The host has no such handles: ARR_E_UNSUPPORTED.
 *  @param graph  the graph
 *  @param[out,null] native  the CUgraph; may be NULL
 *  @param[out,null] executable  the CUgraphExec; arr_graph_update may replace it; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_UNSUPPORTED
 *  @sync no */
ARR_API arr_status arr_graph_native(arr_graph graph, void **native, void **executable);

/** Writes a drawing of a graph to a file in the language of Graphviz.
 *  @param graph  the graph
 *  @param[in,bytes=length] path  the file; an existing file is overwritten
 *  @param length  number of bytes of path; -1 if it is NUL-terminated
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_IO, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_graph_dot(arr_graph graph, const char *path, int64_t length);

/** Releases a graph. A running launch continues. NULL is allowed.
 *  @param[in,null] graph  the graph
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers */
ARR_API arr_status arr_graph_release(arr_graph graph);

#ifdef __cplusplus
}
#endif
#endif
