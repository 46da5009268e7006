#include "search/parallel/hot_nodes.h"

namespace treewise {

void HotNodes::copy(const Node& node) {
  const std::size_t size = node.num_edges, padded = (size + kBlock - 1) / kBlock * kBlock;
  const std::size_t bytes = sizeof(Copy) + padded * kBytesPerEdge;
  if (bytes > memory_bytes_ - used_bytes_) return;
  used_bytes_ += bytes;
  auto made = std::make_unique<Copy>();
  made->id = tree_.id_of(node);
  made->first = node.first_edge;
  made->player = node.player;
  made->node_visits = node.visits;
  made->visits.assign(tree_.visits_from(node.first_edge), tree_.visits_from(node.first_edge) + size);
  made->new_visits.assign(size, 0);
  made->new_values.assign(size, 0);
  made->values.resize(padded);
  made->inverse_roots.resize(padded);
  for (std::size_t i = 0; i < size; ++i) {
    made->values[i] = tree_.value(made->first + static_cast<EdgeId>(i));
    made->inverse_roots[i] = inverse_root(made->visits[i]);
  }
  copies_[place(made->id)] = std::move(made);
}

void HotNodes::exchange(Copy& copy) {
  Node& node = tree_.node(copy.id);
  const NodeLock lock(node, true);
  std::int32_t news = 0;
  for (std::size_t i = 0; i < copy.visits.size(); ++i) {
    const EdgeId e = copy.first + static_cast<EdgeId>(i);
    if (copy.new_visits[i] != 0) tree_.set_visits(e, tree_.visits(e) + copy.new_visits[i]);
    if (copy.new_values[i] != 0) tree_.value(e) += copy.new_values[i];
    news += copy.new_visits[i];
    copy.new_visits[i] = 0;
    copy.new_values[i] = 0;
    copy.visits[i] = tree_.visits(e);
    copy.values[i] = tree_.value(e);
    copy.inverse_roots[i] = *tree_.inverse_roots_from(e);
  }
  node.visits += news;
  copy.node_visits = node.visits;
  copy.news = 0;
}

void HotNodes::give_back() {
  for (auto& copy : copies_) {
    if (!copy) continue;
    exchange(*copy);
    copy.reset();
  }
  used_bytes_ = 0;
}

}  // namespace treewise
