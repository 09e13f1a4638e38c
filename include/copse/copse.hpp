// copse: graph connectivity. This header is all that a program needs; the others serve extensions.
#pragma once
#include <copse/version.h>
#include <copse/bridges.hpp>
#include <copse/build.hpp>
#include <copse/cluster.hpp>
#include <copse/compare.hpp>
#include <copse/components.hpp>
#include <copse/components_sink.hpp>
#include <copse/cuda.hpp>
#include <copse/dynamic.hpp>
#include <copse/errors.hpp>
#include <copse/execution.hpp>
#include <copse/generate.hpp>
#include <copse/graph.hpp>
#include <copse/group_sink.hpp>
#include <copse/hierarchy.hpp>
#include <copse/hybrid.hpp>
#include <copse/incremental.hpp>
#include <copse/io.hpp>
#include <copse/labels.hpp>
#include <copse/list_ranking.hpp>
#include <copse/pairs.hpp>
#include <copse/partial.hpp>
#include <copse/plan.hpp>
#include <copse/prepared_graph.hpp>
#include <copse/reading.hpp>
#include <copse/rooted_forest.hpp>
#include <copse/spanning_forest.hpp>
#include <copse/variants.hpp>
#include <copse/verify.hpp>
#include <copse/weighted_forest.hpp>

namespace copse {

using io::read_graph;

}  // namespace copse
