/* SPDX-License-Identifier: MIT */
/* graph.h - work of streams, captured once and launched again and again as a whole. */
#ifndef ARR_GRAPH_H
#define ARR_GRAPH_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct arr_graph_s *arr_graph;

/** Captures the work of a stream from now on: calls check their arguments, make their results and return, but
 *  what they enqueue in this stream is kept for the graph instead of run. Values cannot be read meanwhile, and
 *  the stream cannot be waited for. Arrays that the work uses, its results and temporaries too, live as long as
 *  the graph; host memory that it reads is copied. An array that the work makes has no values before the first
 *  launch of its graph: until then only captured work may use it, and anything else is ARR_E_ARGUMENT.
 *
 *  Another stream joins the capture by waiting (arr_stream_wait_event) for an event that was recorded in a
 *  stream of it: from then on its work goes to the same graph, behind that point. Branches that do not wait for
 *  each other may run side by side. Arrays order the streams of a capture as they order others: work comes
 *  behind what wrote the arrays that it reads, and behind what used those that it writes. Before the end this
 *  stream must have waited for an event behind the last work of every other one. A stream that has not joined
 *  works as usual. Streams of other devices cannot join. Threads may work in different streams of a capture at
 *  the same time.
 *
 *  The handle of a stream that has joined may be released meanwhile; the release of this one's gives the
 *  capture up.
 *  @param stream  the stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE
 *  @sync no   @threads any, one at a time in the stream   @since 0.1
 *  @cupy cupy.cuda.Stream.begin_capture, cupy.cuda.ExternalStream.begin_capture,
 *  cupy.cuda.runtime.streamBeginCapture */
ARR_API arr_status arr_graph_begin(arr_stream stream);

/** Ends the capture and makes it a graph that can be launched. On failure the capture has ended all the same.
 *  ARR_E_ARGUMENT where a stream that joined has not been waited for; and on a stream that joined, where nothing
 *  ends.
 *  @param stream  the stream of arr_graph_begin
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Stream.end_capture, cupy.cuda.ExternalStream.end_capture, cupy.cuda.Graph,
 *  cupy.cuda.runtime.streamEndCapture, cupy.cuda.runtime.graphInstantiate */
ARR_API arr_status arr_graph_end(arr_stream stream, arr_graph *out);

/** Ends the capture and makes its work the graph's in place of what that was. Where the new work has the same
 *  form, calls alike on other memory, a GPU changes the graph instead of making another, which is much quicker.
 *  A launch that runs goes on. On failure the capture has ended and the graph is as it was. Streams that joined
 *  are as for arr_graph_end.
 *  @param graph  the graph to change
 *  @param stream  the stream of arr_graph_begin, on the graph's device
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_graph_update(arr_graph graph, arr_stream stream);

/** Enqueues all the work of a graph, on the memory that it was captured with: inputs are read anew, results
 *  are overwritten. It comes behind its own last launch and behind what uses its arrays, in any stream.
 *  @param graph  the graph
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED, ARR_E_DEVICE, ARR_E_LOST
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Graph.launch, cupy.cuda.runtime.graphLaunch */
ARR_API arr_status arr_graph_launch(arr_graph graph, arr_stream stream);

/** Brings a graph to the device ahead of its first launch.
 *  @param graph  the graph
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Graph.upload, cupy.cuda.runtime.graphUpload */
ARR_API arr_status arr_graph_upload(arr_graph graph, arr_stream stream);

/** What CUDA knows the graph by, borrowed. The host has no such things: ARR_E_UNSUPPORTED.
 *  @param graph  the graph
 *  @param[out,null] native  the CUgraph, or NULL where it is not wanted
 *  @param[out,null] executable  the CUgraphExec, or NULL where it is not wanted; arr_graph_update may change it
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_UNSUPPORTED
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Graph.graph, cupy.cuda.Graph.graphExec */
ARR_API arr_status arr_graph_native(arr_graph graph, void **native, void **executable);

/** Writes what is in a graph to a file in Graphviz' language.
 *  @param graph  the graph
 *  @param[in,bytes=length] path  the file, which is overwritten
 *  @param length  bytes of path, -1 where it ends in NUL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_IO, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Graph.debug_dot_str, cupy.cuda.runtime.graphDebugDotPrint */
ARR_API arr_status arr_graph_dot(arr_graph graph, const char *path, int64_t length);

/** Releases a graph; a launch that runs goes on. NULL is fine.
 *  @param[in,null] graph  the graph
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers   @since 0.1
 *  @cupy cupy.cuda.runtime.graphDestroy, cupy.cuda.runtime.graphExecDestroy */
ARR_API arr_status arr_graph_release(arr_graph graph);

#ifdef __cplusplus
}
#endif
#endif
